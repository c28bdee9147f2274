/** Where the run stands as a whole: what the status comment, the check `taskfleet` and the feature pull request say first. */
import type { RunState } from "../state.ts";
import { type AcceptStep, deriveAcceptStep } from "./accept-progress.ts";
import { deriveApprovalPolicy } from "./approval-policy.ts";
import { type Blocked, listBlocked } from "./blockers.ts";
import { listQuestions, type Need } from "./needs.ts";
import { formatPauses } from "./pauses.ts";
import { deriveProposal } from "./plan-progress.ts";

/** One case for each thing that people are told. */
export type Standing =
  | { readonly at: "merged" | "cancelled" | "answered" | "ended" }
  | { readonly at: "asked"; readonly needs: readonly Need[] }
  | { readonly at: "paused" }
  | { readonly at: "approval"; readonly rev: number }
  /** Changes are requested of what would land, or be merged, otherwise. */
  | { readonly at: "blocked"; readonly blocked: readonly Blocked[] }
  /** All was verified, and somebody has to merge it. */
  | { readonly at: "ready" }
  | { readonly at: "planning"; readonly n: number }
  | { readonly at: "shown"; readonly rev: number }
  | { readonly at: "working" | "checked" | "reviewed" | "ci" | "merging" }
  | { readonly at: "mended"; readonly n: number };

export function deriveStanding(state: RunState, now: number): Standing {
  return deriveEnd(state) ?? deriveQuestion(state, now) ?? deriveProgress(state, deriveAcceptStep(state, now));
}

function deriveEnd(state: RunState): Standing | null {
  if (state.merged !== null) return { at: "merged" };
  if (state.cancelled !== null) return { at: "cancelled" };
  if (state.answerText !== null) return { at: "answered" };
  return state.ended === null ? null : { at: "ended" };
}

/** What a person is needed for. */
function deriveQuestion(state: RunState, now: number): Standing | null {
  const needs = listQuestions(state, now);
  if (needs.length > 0) return { at: "asked", needs };
  if (state.paused !== null) return { at: "paused" };
  const proposal = deriveProposal(state);
  if (proposal !== null && deriveApprovalPolicy(state, proposal).person) return { at: "approval", rev: proposal.rev };
  const blocked = listBlocked(state, now);
  if (blocked.length > 0) return { at: "blocked", blocked };
  const isReady =
    state.run.config.merge.feature === "human" &&
    state.featurePull?.ready === true &&
    deriveAcceptStep(state, now).step === "merge";
  return isReady ? { at: "ready" } : null;
}

function deriveProgress(state: RunState, { step }: AcceptStep): Standing {
  if (!state.planning.done) return { at: "planning", n: state.planning.n };
  const proposal = deriveProposal(state);
  if (proposal !== null) return { at: "shown", rev: proposal.rev };
  switch (step) {
    case "not-yet":
    case "person":
      return { at: "working" };
    case "fix":
      return { at: "mended", n: state.fixes.length + 1 };
    case "create":
    case "floor":
      return { at: "checked" };
    case "review":
      return { at: "reviewed" };
    case "commit":
    case "ci":
      return { at: "ci" };
    case "merge":
      return { at: "merging" };
  }
}

/** Differs whenever people are to be told something else; how far single chunks have come is not in it. */
export function formatStanding(state: RunState, standing: Standing): string {
  switch (standing.at) {
    case "asked":
      return `needs:${standing.needs.map((need) => need.key).join(",")}`;
    case "blocked":
      return `blocked:${standing.blocked.map(({ chunk, logins }) => [chunk ?? "", ...logins].join("+")).join(",")}`;
    case "paused":
      return `paused:${formatPauses(state.paused ?? [])}`;
    case "approval":
    case "shown":
      return `${standing.at}:${standing.rev}`;
    case "planning":
    case "mended":
      return `${standing.at}:${standing.n}`;
    default:
      return standing.at;
  }
}
