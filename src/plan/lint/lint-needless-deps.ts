import type { Chunk } from "../../contracts/plan.ts";
import { foldPath } from "../../contracts/safe-path.ts";
import { formatFound, type ProblemList } from "../problem-list.ts";
import type { LintContext } from "./lint-context.ts";

/**
 * A dep is believed when both chunks touch one file, or when the waiting chunk's words name the
 * other: its id, its title, one of its files or a file's base name.
 */
export function lintNeedlessDeps({ plan, graph }: LintContext, problems: ProblemList): void {
  const namesOf = new Map<string, readonly string[]>();
  for (const [index, chunk] of plan.chunks.entries()) {
    if (chunk.deps === undefined || chunk.deps.length === 0) continue;
    const words = collectWords(chunk);
    const files = new Set(chunk.files_touched.map(foldPath));
    for (const [position, id] of chunk.deps.entries()) {
      const dep = plan.chunks[graph.indexOf.get(id)!]!;
      if (dep.files_touched.some((path) => files.has(foldPath(path)))) continue;
      let names = namesOf.get(id);
      if (names === undefined) namesOf.set(id, (names = listNames(dep)));
      if (names.some((name) => words.includes(name))) continue;
      problems.add(["chunks", index, "deps", position], "needless-dep", {
        message: `${formatFound(chunk.id)} depends on ${formatFound(id)}, but shares no file with it and never mentions it`,
        found: id,
        allowed: "a brief that says what is used of it, or no dep",
      });
    }
  }
}

function collectWords(chunk: Chunk): string {
  const checks = chunk.checks.flatMap((check) => [check.desc, check.run]);
  return [chunk.title, chunk.brief, ...checks, ...(chunk.assertions ?? [])].join("\n").toLowerCase();
}

/** Shorter base names (`a.ts`, `io.py`) are met by chance. */
const minBaseName = 4;

function listNames(chunk: Chunk): readonly string[] {
  const bases = chunk.files_touched.flatMap((path) => {
    const file = path.slice(path.lastIndexOf("/") + 1);
    const base = file.replace(/(?<=.)\..*$/, "");
    return base.length >= minBaseName ? [path, base] : [path];
  });
  return [chunk.id, chunk.title, ...bases].map((name) => name.toLowerCase());
}
