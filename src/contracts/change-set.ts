/**
 * A change set: what an attempt writes or deletes, as data. It comes out of an agent's job, so
 * nothing in it is believed; {@link file://../floor} and the merge guard judge it.
 */
import { z } from "zod";

/** Git modes. Symbolic links and submodules can be said, so that they can be refused by name. */
export const FILE_MODES = ["100644", "100755", "120000", "160000"] as const;

const written = z.strictObject({
  kind: z.literal("write"),
  path: z.string().max(4096),
  mode: z.enum(FILE_MODES),
  encoding: z.enum(["utf-8", "base64"]),
  content: z.string(),
});
const deleted = z.strictObject({ kind: z.literal("delete"), path: z.string().max(4096) });

export const changeSetSchema = z.strictObject({
  v: z.literal(1),
  /** The commit the agent worked on; 40 or 64 hex digits. */
  base: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u),
  entries: z.array(z.discriminatedUnion("kind", [written, deleted])).max(3000),
});
export type ChangeSet = z.infer<typeof changeSetSchema>;
export type ChangeEntry = ChangeSet["entries"][number];
