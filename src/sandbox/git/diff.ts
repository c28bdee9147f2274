import type { GitRepository } from "./git-repository.ts";
import { readGit } from "./run-git.ts";

export interface FileDiff {
  readonly path: string;
  /** For renames. */
  readonly previousPath: string | null;
  readonly status: "added" | "removed" | "modified" | "renamed" | "changed";
  readonly additions: number;
  readonly deletions: number;
  /** The blob now, or before its removal. */
  readonly sha: string;
  /** Hunks without the file header; null for binary files and for diffs too large to show. */
  readonly patch: string | null;
}

/** GitHub shows no patch for a file beyond this (it documents the limit for pages as 400 lines auto-loaded, 20,000 at most). */
const MAX_PATCH_LINES = 20_000;

const STATUS: Readonly<Record<string, FileDiff["status"]>> = {
  A: "added",
  D: "removed",
  M: "modified",
  R: "renamed",
  T: "changed",
};

function parseRaw(text: string): Omit<FileDiff, "additions" | "deletions" | "patch">[] {
  const fields = text.split("\0");
  const files: Omit<FileDiff, "additions" | "deletions" | "patch">[] = [];
  for (let i = 0; i < fields.length && fields[i] !== "";) {
    const [, , before = "", after = "", letter = ""] = (fields[i] ?? "").split(" ");
    const renamed = letter.startsWith("R");
    files.push({
      path: fields[i + (renamed ? 2 : 1)] ?? "",
      previousPath: renamed ? (fields[i + 1] ?? "") : null,
      status: STATUS[letter.slice(0, 1)] ?? "modified",
      sha: letter === "D" ? before : after,
    });
    i += renamed ? 3 : 2;
  }
  return files;
}

function splitPatches(text: string): string[] {
  return text === "" ? [] : text.split(/^(?=diff --git )/m).filter((part) => part.startsWith("diff --git "));
}

/** What changed from one tree-ish to another, renames found, in git's order. */
export async function diffTrees(git: GitRepository, before: string, after: string): Promise<FileDiff[]> {
  const options = ["--no-color", "--no-ext-diff", "--full-index", "--find-renames", before, after];
  const [raw, patches] = await Promise.all([
    readGit(git.dir, ["diff-tree", "-r", "-z", "--raw", ...options]),
    readGit(git.dir, ["diff-tree", "-r", "-p", ...options]),
  ]);
  const parts = splitPatches(patches);
  return parseRaw(raw).map((file, index) => {
    const part = parts[index] ?? "";
    const start = part.search(/^@@ /m);
    const hunks = start < 0 ? null : part.slice(start).replace(/\n$/, "");
    const lines = hunks === null ? [] : hunks.split("\n");
    return {
      ...file,
      additions: lines.filter((line) => line.startsWith("+")).length,
      deletions: lines.filter((line) => line.startsWith("-")).length,
      patch: lines.length > MAX_PATCH_LINES ? null : hunks,
    };
  });
}
