/**
 * What `bd import` does with a file, as far as it can be seen without its database: the fields it knows, and what it
 * refuses (https://github.com/steveyegge/beads/blob/v1.0.5/internal/types/types.go, `Issue`, `Dependency`,
 * `ValidateWithCustom`; import_shared.go and import.go for the lines). It drops a field it does not know without a word; here
 * it is an error.
 */
import { z } from "zod";

/** RFC 3339 in whole seconds, which is what its database keeps. */
const time = z.iso.datetime({ precision: 0 });

const dependency = z.strictObject({
  issue_id: z.string().min(1),
  depends_on_id: z.string().min(1),
  type: z.enum(["blocks", "parent-child"]),
  created_at: time,
  created_by: z.string().max(255),
});

const bead = z
  .strictObject({
    id: z.string().regex(/^[a-z][a-z0-9]*-[a-z0-9]+$/u),
    // Go counts bytes.
    title: z.string().refine((title) => title !== "" && Buffer.byteLength(title) <= 500),
    description: z.string(),
    acceptance_criteria: z.string().optional(),
    status: z.enum(["open", "closed"]),
    priority: z.int().min(0).max(4),
    issue_type: z.enum(["epic", "task"]),
    created_at: time,
    created_by: z.string().max(255),
    updated_at: time,
    closed_at: time.optional(),
    close_reason: z.string().optional(),
    dependencies: z.array(dependency).optional(),
  })
  .refine(({ status, closed_at: at }) => (status === "closed") === (at !== undefined))
  .refine(({ id, dependencies }) => (dependencies ?? []).every((one) => one.issue_id === id));

export type Bead = z.infer<typeof bead>;

/** @throws when `bd` would refuse a line, or pass over a part of it. */
export function readBeads(text: string): readonly Bead[] {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const beads = text
    .slice(0, -1)
    .split("\n")
    .map((line) => bead.parse(JSON.parse(line)));
  const ids = new Set(beads.map(({ id }) => id));
  if (ids.size < beads.length) throw new Error("two entries have one name");
  const missing = beads.flatMap(({ dependencies = [] }) =>
    dependencies.filter((one) => !ids.has(one.depends_on_id)).map((one) => one.depends_on_id),
  );
  if (missing.length > 0) throw new Error(`the file lacks ${missing.join(", ")}`);
  return beads;
}
