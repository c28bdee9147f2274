/** What a believable verdict leaves open: shown to people, decides nothing. */
import type { CriterionResult } from "../contracts/review-result.ts";
import type { Verdict } from "../contracts/verdict.ts";
import type { ReviewedChange } from "./locate-evidence.ts";

interface Covered {
  readonly changes: readonly ReviewedChange[];
  readonly readFile: (path: string) => string | null;
  readonly hasFile?: (path: string) => boolean;
  readonly chunkIds?: readonly string[];
}

export function checkCoverage(
  verdict: Verdict,
  criteria: readonly CriterionResult[],
  source: Covered,
): readonly string[] {
  const warnings: string[] = [];
  const missed = listUnread(verdict, source.changes);
  if (missed.length > 0) warnings.push(`The reviewer does not name as read: ${formatFiles(missed)}.`);
  const has = source.hasFile ?? ((path: string): boolean => source.readFile(path) !== null);
  const deleted = new Set(source.changes.filter((change) => change.kind === "delete").map((change) => change.path));
  const unknown = verdict.files_reviewed.filter((path) => !deleted.has(path) && !has(path));
  if (unknown.length > 0) warnings.push(`The reviewer names ${count(unknown.length, "file")} that are not there.`);
  const places = criteria
    .filter((one) => one.result === "pass")
    .map((one) => one.implementation.map((cited) => `${cited.path}:${cited.start}`).join(" "));
  if (places.length >= 3 && new Set(places).size === 1)
    warnings.push("All criteria are proved by the very same lines.");
  const strangers = (verdict.chunks ?? []).filter((chunk) => source.chunkIds?.includes(chunk) !== true);
  if (strangers.length > 0)
    warnings.push(`The reviewer names ${count(strangers.length, "chunk")} the plan does not have.`);
  return warnings;
}

/** Changed files that the reviewer does not name. */
export function listUnread(verdict: Verdict, changes: readonly ReviewedChange[]): readonly string[] {
  const reviewed = new Set(verdict.files_reviewed);
  return changes.filter((change) => !reviewed.has(change.path)).map((change) => change.path);
}

const SHOWN_FILES = 5;

export function formatFiles(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN_FILES).map((path) => `\`${path.slice(0, 200)}\``);
  const more = paths.length - shown.length;
  return `${count(paths.length, "changed file")}: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
