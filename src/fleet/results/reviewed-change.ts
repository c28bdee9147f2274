import type { Change } from "../../floor/floor-input.ts";
import type { ReviewedChange } from "../../review/locate-evidence.ts";
import { parseDiffLines } from "./diff-lines.ts";

/**
 * What a verdict on this change is verified against.
 * @param patch GitHub's difference; null where it gives none: for what it calls binary, for a large file, and
 * for everything behind the first 300 files (docs.github.com/en/rest/commits/commits, "Compare two commits").
 */
export function buildReviewedChange(change: Change, patch: string | null): ReviewedChange {
  return {
    path: change.path,
    kind: change.kind,
    addedLines: patch === null ? listAddedLines(change) : [...parseDiffLines(patch).added],
    // Not "has added lines": whether GitHub shows a difference decides nothing about what has to be read.
    isText: change.content === "text",
  };
}

/** Without a patch only a new file's lines are known to be of the change. */
function listAddedLines(change: Change): readonly number[] {
  if (change.kind !== "add" || change.text === undefined) return [];
  return change.text.split("\n").map((_, index) => index + 1);
}
