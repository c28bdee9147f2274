/** Our branches and which of them may go. */
import { formatBranch } from "../../contracts/names.ts";
import type { RunKey } from "../../contracts/ids.ts";
import type { CandidateState, ChunkState, RunState } from "../state.ts";
import { findRow, flattenRows, perRow } from "../table.ts";
import { listOpenChunkPulls } from "./open-pulls.ts";

/** GitHub marks a pull request whose commits have landed as merged within seconds; or never, when somebody has pushed. */
export const MARKED_WITHIN_MS = 60_000;

/** What must happen to pull requests before a branch may go: of it, or into it. */
type Awaited = "merged" | "closed" | "bases-closed";

interface OurBranch {
  readonly branch: string;
  /** What is waited for before it may go; null = nothing on GitHub points at it any more. */
  readonly awaits: Awaited | null;
}

interface WaitingBranch {
  readonly branch: string;
  readonly awaits: Awaited;
}

/**
 * A branch is deleted only after GitHub has registered its pull request as merged: deleted earlier,
 * the request would show as closed (github.com/bors-ng/bors-ng/issues/240).
 */
export function listOurBranches(state: RunState): {
  readonly deletable: readonly string[];
  readonly waiting: readonly WaitingBranch[];
} {
  const { run } = state.run;
  const phase = state.merged !== null || state.cancelled !== null || state.ended !== null ? "over" : "running";
  const branches: OurBranch[] = [
    ...flattenRows(listChunkBranches(state.chunks, run, state.closedPulls, state.countBase, phase)),
    ...flattenRows(listCandidateBranches(state.candidates, run, state.integration?.tip ?? null, phase)),
  ];
  if (phase === "over") {
    for (const { branch } of state.accepts) if (branch !== "") branches.push({ branch, awaits: null });
    if (state.integration !== null)
      branches.push({ branch: formatBranch({ kind: "integration", run }), awaits: deriveAwaited(state) });
  }
  const left = branches.filter(({ branch }) => findRow(state.deletedBranches, branch) !== true);
  return {
    deletable: left.filter(({ awaits }) => awaits === null).map(({ branch }) => branch),
    waiting: left.flatMap(({ branch, awaits }) => (awaits === null ? [] : [{ branch, awaits }])),
  };
}

/** Of a merged feature's branch, also that nothing is aimed at it: GitHub would aim it at the source branch. */
function deriveAwaited(state: RunState): Awaited | null {
  const { featurePull: feature, merged, closedPulls } = state;
  if (feature !== null && feature.settled === null && !closedPulls.includes(feature.number))
    return merged === null ? "closed" : "merged";
  return merged !== null && listOpenChunkPulls(state).length > 0 ? "bases-closed" : null;
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
    const awaits = settled ? null : chunk.landed === null ? "closed" : "merged";
    return [{ branch: formatBranch({ kind: "chunk", run, chunk: chunk.id }), awaits }];
  },
);

const listCandidateBranches = perRow(
  (candidate: CandidateState, run: RunKey, tip: string | null, phase: Phase): readonly OurBranch[] =>
    phase === "running" && candidate.base === tip
      ? NONE
      : [{ branch: formatBranch({ kind: "candidate", run, hash: candidate.hash }), awaits: null }],
);
