/** Our branches and which of them may go. */
import { formatBranch } from "../../contracts/names.ts";
import type { RunState } from "../state.ts";

/**
 * A branch is deleted only after GitHub has registered its pull request as merged: deleted earlier,
 * the request would show as closed (github.com/bors-ng/bors-ng/issues/240).
 */
export function listOurBranches(state: RunState): {
  readonly deletable: readonly string[];
  readonly waiting: readonly string[];
} {
  const over = state.merged !== null || state.cancelled !== null || state.ended !== null;
  const { run } = state.run;
  const deletable: string[] = [];
  const waiting: string[] = [];
  const consider = (branch: string, settled: boolean): void => {
    if (state.deletedBranches.includes(branch)) return;
    (settled ? deletable : waiting).push(branch);
  };
  for (const chunk of Object.values(state.chunks)) {
    // A person who took it got a branch before there was any attempt, and a lost store forgot the attempts.
    if (chunk.attempts.length === 0 && chunk.taken === null && state.countBase === 0) continue;
    const settled = chunk.pulls.every((pull) => pull.settled !== null || state.closedPulls.includes(pull.number));
    if (over || chunk.landed !== null || chunk.skipped)
      consider(formatBranch({ kind: "chunk", run, chunk: chunk.id }), settled);
  }
  for (const candidate of state.candidates)
    if (over || candidate.base !== state.integration?.tip)
      consider(formatBranch({ kind: "candidate", run, hash: candidate.hash }), true);
  if (over) {
    for (const accept of state.accepts) if (accept.branch !== "") consider(accept.branch, true);
    const feature = state.featurePull;
    const settled = feature === null || feature.settled !== null || state.closedPulls.includes(feature.number);
    if (state.integration !== null) consider(formatBranch({ kind: "integration", run }), settled);
  }
  return { deletable, waiting };
}
