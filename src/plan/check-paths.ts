import type { Chunk, Plan } from "../contracts/plan.ts";
import type { Problem } from "../contracts/problem.ts";
import { formatFound, type PathPart, ProblemList } from "./problem-list.ts";
import { findNearest } from "./suggest-nearest.ts";

interface Proposal {
  readonly chunks: ReadonlyArray<Pick<Chunk, "files_touched" | "checks">>;
  readonly acceptance: Plan["acceptance"];
  readonly new_folders?: readonly string[] | undefined;
}

/**
 * Paths nobody can have looked up: every file of a chunk exists in the tree or stands in a folder that
 * does, or in one the draft says it creates (`new_folders`); commands run in folders that will be there.
 * @param files every file of the tree the plan builds on
 */
export function checkPaths(draft: Proposal, files: Iterable<string>): readonly Problem[] {
  const problems = new ProblemList();
  const known = new Set(files);
  const folders = new Set([...known].flatMap(listParents));
  const created = (draft.new_folders ?? []).map((folder) => folder.replace(/\/+$/u, ""));
  for (const [index, folder] of created.entries()) checkNewFolder(folder, index, draft, problems);
  const announced = new Set(created.flatMap((folder) => [folder, ...listParents(folder)]));
  const planned = new Set<string>();
  for (const [index, chunk] of draft.chunks.entries()) {
    for (const [position, path] of chunk.files_touched.entries()) {
      const parent = findParent(path);
      for (const folder of listParents(path)) planned.add(folder);
      if (known.has(path) || parent === "" || folders.has(parent) || announced.has(parent)) continue;
      problems.add(["chunks", index, "files_touched", position], "path-unknown", {
        message: `neither ${formatFound(path)} nor its folder exists${suggestFile(path, known)}`,
        found: formatFound(path),
        allowed: `a file of the repository, a new file in a folder that exists, or ${formatFound(parent)} named in new_folders`,
      });
    }
  }
  const check = (cwd: string | undefined, path: readonly PathPart[]): void => {
    if (cwd === undefined || cwd === "" || folders.has(cwd) || planned.has(cwd)) return;
    problems.add([...path, "cwd"], "cwd-unknown", {
      message: `the folder ${formatFound(cwd)} neither exists nor does the plan create it`,
      found: formatFound(cwd),
      allowed: "a folder of the repository, or of a file the plan creates",
    });
  };
  for (const [index, chunk] of draft.chunks.entries())
    for (const [position, { cwd }] of chunk.checks.entries()) check(cwd, ["chunks", index, "checks", position]);
  for (const [index, item] of draft.acceptance.entries())
    if (item.kind === "check") check(item.cwd, ["acceptance", index]);
  return problems.list();
}

/** A folder that no chunk puts a file into is not created by the plan. */
function checkNewFolder(folder: string, index: number, draft: Proposal, problems: ProblemList): void {
  const used = draft.chunks.some((chunk) => chunk.files_touched.some((path) => path.startsWith(`${folder}/`)));
  if (used) return;
  problems.add(["new_folders", index], "folder-unused", {
    message: `no chunk has a file in the new folder ${formatFound(folder)}`,
    found: formatFound(folder),
    allowed: "a folder of a file in files_touched",
  });
}

/** A file of the same name elsewhere, or one that is written nearly the same. */
function suggestFile(path: string, known: ReadonlySet<string>): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const same = [...known].filter((file) => file === name || file.endsWith(`/${name}`)).sort();
  const nearest = same[0] ?? findNearest(path, known);
  return nearest === null || nearest === undefined ? "" : `; did you mean ${formatFound(nearest)}?`;
}

function findParent(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

function listParents(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders;
}
