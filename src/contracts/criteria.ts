/**
 * The criteria a reviewer answers, in the one order everybody uses: the descriptions of the checks,
 * then the assertions. `{ check: n }` in a verdict is a position among the checks.
 */
import type { AcceptanceCheck, AcceptanceItem, Check } from "./plan.ts";

/**
 * Whose an acceptance check is in captures, where a chunk's checks are its id's. It is no id itself (those begin
 * with a letter or digit), since a chunk may be called `acceptance`, too.
 */
export const ACCEPTANCE_OWNER = ":acceptance";

/** A chunk's Definition of Done. */
export function listCriteria(chunk: {
  readonly checks: readonly Check[];
  readonly assertions?: readonly string[];
}): readonly string[] {
  return [...chunk.checks.map((check) => check.desc), ...(chunk.assertions ?? [])];
}

/** The whole feature's criteria, for the final review. */
export function listAcceptanceCriteria(acceptance: readonly AcceptanceItem[]): readonly string[] {
  return [
    ...listAcceptanceChecks(acceptance).map((check) => check.desc),
    ...acceptance.filter((item) => item.kind === "assertion").map((item) => item.desc),
  ];
}

/** The acceptance items that are commands, in the order in which the floor numbers them. */
export function listAcceptanceChecks(acceptance: readonly AcceptanceItem[]): readonly AcceptanceCheck[] {
  return acceptance.filter((item) => item.kind === "check");
}
