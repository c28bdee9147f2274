import { type DiffLine, parseDiffLines } from "../git/diff-lines.ts";
import type { FileDiff } from "../git/diff.ts";
import type { Body } from "../http/read-body.ts";
import { unprocessable } from "../http-problem.ts";
import type { DiffSide, ReviewComment } from "../state/pull.ts";

export type ReviewCommentParts = Pick<
  ReviewComment,
  "path" | "side" | "line" | "startLine" | "startSide" | "position" | "diffHunk" | "body"
>;

const SIDES = ["LEFT", "RIGHT"] as const;

/**
 * Places one inline comment in the diff, by `position` or by `line` and `side`. A place outside the diff
 * makes the whole review fail.
 * https://docs.github.com/en/rest/pulls/reviews#create-a-review-for-a-pull-request
 */
export function parseReviewComment(item: Body, files: readonly FileDiff[]): ReviewCommentParts {
  const path = item.string("path");
  const body = item.string("body");
  const file = files.find((candidate) => candidate.path === path);
  if (file === undefined) throw unprocessable("Unprocessable Entity", ["Path could not be resolved"]);
  const lines = parseDiffLines(file.patch ?? "");
  const side: DiffSide = item.optionalChoice("side", SIDES) ?? "RIGHT";
  const wantedPosition = item.optionalNumber("position");
  const wantedLine = item.optionalNumber("line");
  const at = (number: number, on: DiffSide) =>
    lines.find((line) => (on === "RIGHT" ? line.right : line.left) === number);
  const found = wantedLine === null ? lines.find(({ position }) => position === wantedPosition) : at(wantedLine, side);
  if (found === undefined) {
    const problem = wantedLine === null ? "Position could not be resolved" : "Line could not be resolved";
    throw unprocessable("Unprocessable Entity", [problem]);
  }
  const startLine = item.optionalNumber("start_line");
  const startSide = startLine === null ? null : (item.optionalChoice("start_side", SIDES) ?? side);
  const start = startLine === null ? null : at(startLine, startSide ?? side);
  if (start === undefined) throw unprocessable("Unprocessable Entity", ["Start line could not be resolved"]);
  // https://github.com/parkerbxyz/suggest-changes/issues/28
  if (start !== null && readHunkHeader(start) !== readHunkHeader(found)) {
    throw unprocessable("Unprocessable Entity", [
      "Pull request review thread start line must be part of the same hunk as the line.",
    ]);
  }
  if (startLine !== null && wantedLine !== null && startLine >= wantedLine && startSide === side) {
    throw unprocessable("Unprocessable Entity", ["Start line must precede the end line"]);
  }
  const placed: DiffSide = wantedLine === null ? (found.right === null ? "LEFT" : "RIGHT") : side;
  return {
    path,
    side: placed,
    line: (placed === "RIGHT" ? found.right : found.left) ?? 0,
    startLine,
    startSide,
    position: found.position,
    diffHunk: found.hunk,
    body,
  };
}

function readHunkHeader({ hunk }: DiffLine): string {
  return hunk.split("\n")[0] ?? "";
}
