/** What a believable verdict leaves open: shown to people, decides nothing. */
import type { CriterionResult } from "../contracts/review-result.ts";
import type { Verdict } from "../contracts/verdict.ts";
import type { ReviewedChange } from "./locate-evidence.ts";

interface Covered {
  readonly changes: readonly ReviewedChange[];
  readonly readFile: (path: string) => string | null;
  readonly chunkIds?: readonly string[];
}

export function checkCoverage(
  verdict: Verdict,
  criteria: readonly CriterionResult[],
  source: Covered,
): readonly string[] {
  const warnings: string[] = [];
  const reviewed = new Set(verdict.files_reviewed);
  const missed = source.changes.filter((change) => !reviewed.has(change.path));
  if (missed.length > 0) warnings.push(`The reviewer does not name ${count(missed.length, "changed file")} as read.`);
  const deleted = new Set(source.changes.filter((change) => change.kind === "delete").map((change) => change.path));
  const unknown = verdict.files_reviewed.filter((path) => !deleted.has(path) && source.readFile(path) === null);
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

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
