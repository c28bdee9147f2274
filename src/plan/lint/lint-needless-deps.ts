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
    // Naming its own `index.ts` says nothing of another's.
    const own = new Set(chunk.files_touched.map(findBaseName));
    for (const [position, id] of chunk.deps.entries()) {
      const dep = plan.chunks[graph.indexOf.get(id)!]!;
      if (dep.files_touched.some((path) => files.has(foldPath(path)))) continue;
      let names = namesOf.get(id);
      if (names === undefined) namesOf.set(id, (names = listNames(dep)));
      if (names.some((name) => !own.has(name) && words.includes(name))) continue;
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

/** Shorter base names (`a.ts`, `io.py`) are met by chance, and so are these. */
const minBaseName = 4;
const commonBaseNames = new Set(["index", "main", "types", "utils", "test", "tests", "init", "readme", "package"]);

function listNames(chunk: Chunk): readonly string[] {
  const bases = chunk.files_touched
    .map(findBaseName)
    .filter((base) => base.length >= minBaseName && !commonBaseNames.has(base));
  return [chunk.id, chunk.title, ...chunk.files_touched, ...bases].map((name) => name.toLowerCase());
}

/** `src/Todo-Store.test.ts` -> `todo-store`, `.env` -> `.env`. */
function findBaseName(path: string): string {
  return path
    .slice(path.lastIndexOf("/") + 1)
    .replace(/(?<=.)\..*$/, "")
    .toLowerCase();
}
