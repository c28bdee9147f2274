/** The one sentence that says where a run stands, shown first everywhere. */
import { deriveAcceptStep } from "../../engine/derive/accept-progress.ts";
import { listBlocked } from "../../engine/derive/blockers.ts";
import { deriveApprovalPolicy } from "../../engine/derive/approval-policy.ts";
import { deriveChunkPhase, deriveStops, findLiveAttempt } from "../../engine/derive/chunk-progress.ts";
import { listQuestions, type Need } from "../../engine/derive/needs.ts";
import { formatPauses } from "../../engine/derive/pauses.ts";
import { derivePlanGate } from "../../engine/derive/plan-gate.ts";
import { deriveProposal } from "../../engine/derive/plan-progress.ts";
import type { RunState } from "../../engine/state.ts";
import { formatCount, formatList } from "./amounts.ts";
import { formatEscalation } from "./chunk-words.ts";

export interface Headline {
  readonly icon: string;
  /** What is happening, as `formatSentence` reads it. */
  readonly sentence: string;
  /** What is needed from a person, or "". */
  readonly needed: string;
  /** Where the question was asked, once it was. */
  readonly url: string | null;
}

export function deriveHeadline(state: RunState, now: number): Headline {
  return deriveEnd(state) ?? derivePersonNeeded(state, now) ?? deriveProgress(state, now);
}

function build(icon: string, sentence: string, needed = "", url: string | null = null): Headline {
  return { icon, sentence, needed, url };
}

function deriveEnd(state: RunState): Headline | null {
  if (state.merged !== null) {
    const how = state.merged.verified
      ? ""
      : " What was merged is not the commit that was verified; see the report for what that means.";
    return build(state.merged.verified ? "✅" : "⚠️", `Merged into \`${state.run.source}\`.${how}`);
  }
  if (state.cancelled !== null) return build("🛑", `Cancelled: ${state.cancelled.why}.`);
  if (state.answerText !== null) return build("💬", "Answered: nothing had to be changed.");
  if (state.ended !== null) return build("🛑", `The run has ended: ${state.ended}.`);
  return null;
}

function derivePersonNeeded(state: RunState, now: number): Headline | null {
  const needs = listQuestions(state, now);
  const [first] = needs;
  if (first !== undefined) {
    const more = needs.length === 1 ? "" : ` ${formatCount(needs.length - 1, "more question")} below.`;
    return build(
      "🙋",
      `${formatNeed(first)}.${more}`,
      `${formatWays(first)} by somebody with write access`,
      state.comments[`need:${first.key}`]?.url ?? null,
    );
  }
  if (state.paused !== null)
    return build(
      "⏸",
      `Paused by ${formatPauses(state.paused)}: nothing new starts or lands.`,
      "`/resume` by somebody with write access",
    );
  const proposal = deriveProposal(state);
  if (proposal !== null && deriveApprovalPolicy(state, proposal).person)
    return build(
      "🙋",
      `Plan revision ${proposal.rev} waits for approval.`,
      `\`/approve ${proposal.hash.slice(0, 12)}\` by somebody with write access, or \`/replan\``,
      state.comments[`approval:${proposal.rev}`]?.url ?? null,
    );
  const blocked = deriveBlocked(state, now);
  if (blocked !== null) return blocked;
  const step = deriveAcceptStep(state, now);
  if (step.step === "merge" && state.featurePull?.ready === true && state.run.config.merge.feature === "human")
    return build(
      "🙋",
      `${formatAllLanded(state)} Everything was verified: the feature is ready to be merged.`,
      "somebody to merge the feature pull request",
      state.featurePull.url,
    );
  return null;
}

/** Somebody has requested changes of what would land, or be merged, otherwise. */
function deriveBlocked(state: RunState, now: number): Headline | null {
  const [first, ...others] = listBlocked(state, now);
  if (first === undefined) return null;
  const what = first.chunk === null ? "Everything was verified" : `Chunk \`${first.chunk}\` is verified`;
  const more =
    others.length === 0
      ? ""
      : ` So ${others.length === 1 ? "does" : "do"} ${formatCount(others.length, "more chunk")}.`;
  return build(
    "🙋",
    `${first.chunk === null ? `${formatAllLanded(state)} ` : ""}${what}, but waits: ${formatList(first.logins, 6)} requested changes.${more}`,
    "the review dismissed or approved, or `/override review <why>` on its pull request, by somebody with write access",
    first.url,
  );
}

const STOPS: Readonly<Record<Extract<Need, { kind: "stopped" }>["why"], string>> = {
  edited: "The issue was edited: paused",
  "feature-closed": "The feature pull request was closed: paused",
  toolchain: "The toolchain of the runners changed again: paused",
  rebuilt: "The App lost its database and read this run back from GitHub: paused",
};

/** A question to people in a few words, without a full stop. */
export function formatNeed(need: Need): string {
  switch (need.kind) {
    case "plan":
      return need.questions.length > 0 ? "The planner has questions before it can plan" : `No plan yet: ${need.why}`;
    case "baseline":
      return "The baseline could not be captured";
    case "escalation":
      return formatEscalation(`Chunk \`${need.escalation.chunk}\``, need.escalation.reason);
    case "accept":
      return `The whole feature is not accepted: ${need.step.why}`;
    case "budget":
      return `No further agent may start: ${need.why}`;
    case "interference":
      return need.what === "closed"
        ? "The issue was closed: cancelling soon"
        : "The label was removed: cancelling soon";
    case "landing":
      return "Nothing lands: the floor of a candidate gives no result";
    case "dropped":
      return "Every chunk was dropped: nothing is left to build";
    case "stopped":
      return STOPS[need.why];
    case "note":
      return "The issue was edited by somebody without write access: nothing changes";
    case "unassignable":
      return need.chunks.length === 1 ? "No agent fits one chunk" : `No agent fits ${need.chunks.length} chunks`;
    case "checkpoint":
      return `Checkpoint after \`${need.chunk}\`: ${need.reason}`;
    case "failure":
      return `GitHub refuses something: ${need.message}`;
  }
}

/** What may be typed about a question. */
function formatWays(need: Need): string {
  switch (need.kind) {
    case "plan":
      return need.questions.length > 0
        ? "`/replan` with the answers"
        : "`/replan` with what should be different, or `/cancel`";
    case "baseline":
    case "failure":
      return "the change the question names, or `/cancel`,";
    case "interference":
      return need.what === "closed" ? "reopening the issue, or `/cancel`" : "setting the label again, or `/cancel`";
    case "landing":
      return `\`/retry ${need.chunks[0] ?? ""}\`, \`/replan\` or \`/cancel\``;
    case "dropped":
      return "`/replan` with what to build instead, `/retry` of a chunk, or `/cancel`";
    case "stopped":
      return need.why === "edited" ? "`/resume`, or `/replan` with what changed," : "`/resume` or `/cancel`";
    case "note":
      return "nothing; `/replan` if the edit matters,";
    case "unassignable":
      return "`/assign`, `/take` or `/skip`";
    case "checkpoint":
      return "`/resume`";
    case "escalation":
      return `\`/replan\`, \`/retry ${need.escalation.chunk}\` or \`/skip ${need.escalation.chunk}\``;
    case "accept":
      return "`/replan` with what should change, or `/cancel`";
    case "budget":
      return "`/cancel`, then a larger `budget` in the configuration and the label again,";
  }
}

function deriveProgress(state: RunState, now: number): Headline {
  if (state.integration === null) return build("⏳", "Starting: creating the integration branch.");
  if (!state.planning.done) {
    const gate = derivePlanGate(state);
    return build("⏳", `${gate.why}.`);
  }
  if (deriveProposal(state) !== null) return build("⏳", "The plan is written and is being shown.");
  const step = deriveAcceptStep(state, now);
  switch (step.step) {
    case "fix":
      return build("🔁", `${formatAllLanded(state)} ${step.why}.`);
    case "create":
    case "floor":
      return build("⏳", `${formatAllLanded(state)} Every check runs on the whole feature.`);
    case "review":
      return build("⏳", `${formatAllLanded(state)} A final reviewer reads the whole feature.`);
    case "commit":
    case "ci":
      return build("⏳", `${formatAllLanded(state)} The repository's own checks run on the verified commit.`);
    case "merge":
      return build("⏳", `${formatAllLanded(state)} Everything was verified: merging.`);
    case "person":
    case "not-yet":
      return build("⏳", formatChunkProgress(state));
  }
}

function formatAllLanded(state: RunState): string {
  const chunks = state.chunks.rows;
  const landed = chunks.filter((chunk) => chunk.landed !== null).length;
  const skipped = chunks.length - landed;
  if (skipped === 0) return landed === 1 ? "The chunk has landed." : `All ${landed} chunks have landed.`;
  return `${formatCount(landed, "chunk")} landed, ${skipped} skipped.`;
}

function formatChunkProgress(state: RunState): string {
  const chunks = state.chunks.rows;
  const landed = chunks.filter((chunk) => chunk.landed !== null).length;
  const working = chunks.filter((chunk) => findLiveAttempt(chunk) !== null).map((chunk) => `\`${chunk.id}\``);
  const stops = deriveStops(state);
  const retrying = chunks
    .filter((chunk) => deriveChunkPhase(chunk, state, stops) === "retrying")
    .map((chunk) => `\`${chunk.id}\``);
  const parts = [`${landed} of ${formatCount(chunks.length, "chunk")} ${landed === 1 ? "has" : "have"} landed`];
  if (working.length > 0) parts.push(`under way: ${formatList(working, 6)}`);
  if (retrying.length > 0) parts.push(`to be tried again: ${formatList(retrying, 6)}`);
  if (stops.stopped.size > 0) parts.push(`${stops.stopped.size} stopped`);
  return `${parts.join("; ")}.`;
}
