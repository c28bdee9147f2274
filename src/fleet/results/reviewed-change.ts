import type { Change } from "../../floor/floor-input.ts";

/** Where GitHub gives no patch, only a new file's lines are known to be of the change. */
export function diffAddedLines(change: Change): readonly number[] {
  if (change.kind !== "add" || change.text === undefined) return [];
  return change.text.split("\n").map((_, index) => index + 1);
}
