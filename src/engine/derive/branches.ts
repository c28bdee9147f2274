/** Our branches and which of them may go. */
import { formatBranch } from "../../contracts/names.ts";
import type { RunKey } from "../../contracts/ids.ts";
import type { CandidateState, ChunkState, RunState } from "../state.ts";
import { findRow, flattenRows, perRow } from "../table.ts";

/** GitHub marks a pull request whose commits have landed as merged within seconds; or never, when somebody has pushed. */
export const MARKED_WITHIN_MS = 60_000;

interface OurBranch {
  readonly branch: string;
  /** Whether nothing on GitHub still points at it. */
  readonly settled: boolean;
}

/**
 * A branch is deleted only after GitHub has registered its pull request as merged: deleted earlier,
 * the request would show as closed (github.com/bors-ng/bors-ng/issues/240).
 */
export function listOurBranches(state: RunState): {
  readonly deletable: readonly string[];
  readonly waiting: readonly string[];
} {
  const { run } = state.run;
  const phase = state.merged !== null || state.cancelled !== null || state.ended !== null ? "over" : "running";
  const branches: OurBranch[] = [
    ...flattenRows(listChunkBranches(state.chunks, run, state.closedPulls, state.countBase, phase)),
    ...flattenRows(listCandidateBranches(state.candidates, run, state.integration?.tip ?? null, phase)),
  ];
  if (phase === "over") {
    for (const { branch } of state.accepts) if (branch !== "") branches.push({ branch, settled: true });
    const feature = state.featurePull;
    const settled = feature === null || feature.settled !== null || state.closedPulls.includes(feature.number);
    if (state.integration !== null) branches.push({ branch: formatBranch({ kind: "integration", run }), settled });
  }
  const left = branches.filter(({ branch }) => findRow(state.deletedBranches, branch) !== true);
  return {
    deletable: left.filter((entry) => entry.settled).map((entry) => entry.branch),
    waiting: left.filter((entry) => !entry.settled).map((entry) => entry.branch),
  };
}

type Phase = "running" | "over";

const NONE: readonly never[] = [];

const listChunkBranches = perRow(
  (
    chunk: ChunkState,
    run: RunKey,
    closedPulls: RunState["closedPulls"],
    countBase: number,
    phase: Phase,
  ): readonly OurBranch[] => {
    // A person who took it got a branch before there was any attempt, and a lost store forgot the attempts.
    if (chunk.attempts.length === 0 && chunk.taken === null && countBase === 0) return NONE;
    if (phase === "running" && chunk.landed === null && !chunk.skipped) return NONE;
    const settled = chunk.pulls.every((pull) => pull.settled !== null || closedPulls.includes(pull.number));
    return [{ branch: formatBranch({ kind: "chunk", run, chunk: chunk.id }), settled }];
  },
);

const listCandidateBranches = perRow(
  (candidate: CandidateState, run: RunKey, tip: string | null, phase: Phase): readonly OurBranch[] =>
    phase === "running" && candidate.base === tip
      ? NONE
      : [{ branch: formatBranch({ kind: "candidate", run, hash: candidate.hash }), settled: true }],
);
