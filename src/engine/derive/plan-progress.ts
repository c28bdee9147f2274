import type { Chunk } from "../../contracts/plan.ts";
import type { Wait } from "../action.ts";
import type { PlanRevision, RunState } from "../state.ts";
import { once } from "./once.ts";
import { formatPauses } from "./pauses.ts";

/** The newest committed revision that nobody approved yet, or null; also null while another one is being written. */
export function deriveProposal(state: RunState): PlanRevision | null {
  const newest = state.revisions.at(-1);
  if (newest === undefined || !state.planning.done) return null;
  return state.approved !== null && state.approved.rev >= newest.rev ? null : newest;
}

/** The revision chunks follow, or null before the first approval. */
export function deriveActiveRevision(state: RunState): PlanRevision | null {
  return state.revisions.find((entry) => entry.rev === state.approved?.rev) ?? null;
}

const indexChunks = once((revision: PlanRevision) => new Map(revision.plan.chunks.map((chunk) => [chunk.id, chunk])));

/** What the revision says of a chunk; undefined of one that it does not contain. */
export function findChunk(revision: PlanRevision, id: string): Chunk | undefined {
  return indexChunks(revision).get(id);
}

/** Why nothing new may be dispatched or landed now, or null. */
export function deriveHold(state: RunState): string | null {
  return findHold(state)?.what ?? null;
}

/** The same with what ends it. */
export function findHold(state: RunState): Pick<Wait, "what" | "until" | "unblock"> | null {
  const build = (what: string, unblock: string, until: number | null = null) => ({ what, until, unblock });
  if (state.ended !== null) return build("the run has ended", "a new run: the label, set again");
  if (state.cancelled !== null) return build("the run is cancelled", "a new run: the label, set again");
  if (state.interference !== null) {
    const until = state.interference.at + state.run.config.limits.confirm_minutes * 60_000;
    return state.interference.what === "closed"
      ? build("the issue was closed", "the issue is open again", until)
      : build("the label was removed", "the label is set again", until);
  }
  if (state.paused !== null) return build(`paused by ${formatPauses(state.paused)}`, "`/resume`");
  if (Object.values(state.lostBranches).some((branch) => branch.lost))
    return build("a branch of the run was deleted and is being restored", "the branch is there again");
  if (!state.planning.done)
    return build(
      state.planning.request === null ? "the plan is being written" : "a new plan revision is being written",
      "it is written and approved",
    );
  const proposal = deriveProposal(state);
  if (proposal !== null) return build(`plan revision ${proposal.rev} waits for approval`, "it is approved");
  return state.approved === null ? build("no plan is approved", "a plan is approved") : null;
}
