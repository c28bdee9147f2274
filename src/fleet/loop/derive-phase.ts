import { listQuestions } from "../../engine/derive/needs.ts";
import { deriveActiveRevision, deriveProposal } from "../../engine/derive/plan-progress.ts";
import type { RunState } from "../../engine/state.ts";

/** Where a run stands, in one word for figures. */
export type Phase = "ended" | "waiting_input" | "paused" | "planning" | "approval" | "working" | "accepting";

export function derivePhase(state: RunState, now: number): Phase {
  if (state.ended !== null || state.cancelled !== null) return "ended";
  if (state.paused !== null) return "paused";
  if (listQuestions(state, now).length > 0) return "waiting_input";
  if (!state.planning.done) return "planning";
  if (deriveProposal(state) !== null) return "approval";
  const active = deriveActiveRevision(state);
  if (active === null) return "planning";
  const open = state.chunks.rows.filter((chunk) => chunk.landed === null && !chunk.skipped);
  return open.length > 0 ? "working" : "accepting";
}
