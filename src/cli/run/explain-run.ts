/** Why is this chunk not running? What does each wait wait for, until when, and what would end it? */
import type { ChunkId, JobId } from "../../contracts/ids.ts";
import type { Action, Decision, Wait } from "../../engine/action.ts";
import { decide, type Timing } from "../../engine/decide.ts";
import { type ChunkPhase, deriveChunkPhase, deriveStops, isSettled } from "../../engine/derive/chunk-progress.ts";
import { listChunksOf } from "../../engine/derive/chunks-of.ts";
import { listQuestions } from "../../engine/derive/needs.ts";
import { deriveActiveRevision, deriveHold } from "../../engine/derive/plan-progress.ts";
import type { RunState } from "../../engine/state.ts";
import { findRow } from "../../engine/table.ts";
import { formatTerminalLine } from "../terminal-text.ts";
import { formatList } from "../../messages/words/amounts.ts";
import { formatEscalation } from "../../messages/words/chunk-words.ts";
import { formatJobWords } from "../../messages/words/job-words.ts";

export interface ChunkExplanation {
  readonly chunk: string;
  readonly phase: string;
  /** Why it is not running; null when it is, or is done. */
  readonly why: string | null;
}

export interface Explanation {
  readonly run: string;
  readonly now: number;
  readonly next: ReadonlyArray<{ readonly kind: string; readonly key: string; readonly reason: string }>;
  readonly chunks: readonly ChunkExplanation[];
  readonly waits: readonly Wait[];
  readonly questions: readonly Question[];
}

/** What only people can answer. */
export interface Question {
  readonly key: string;
  /** The comment that asks it; null = nobody was asked in one yet. */
  readonly url: string | null;
  /** Why there is no comment, where posting it has failed: the issue is locked, for example. */
  readonly refused: string | null;
}

export function explainRun(state: RunState, now: number, timing: Timing): Explanation {
  const decision = decide(state, now, timing);
  const revision = deriveActiveRevision(state) ?? state.revisions.at(-1);
  return {
    run: state.run.run,
    now,
    next: decision.actions.map((action) => ({ kind: action.kind, key: action.key, reason: action.reason })),
    chunks: (revision?.plan.chunks ?? []).map(({ id }) => explainChunk(state, id as ChunkId, decision)),
    waits: decision.waits,
    questions: listQuestions(state, now).map(({ key }) => ({
      key,
      url: state.comments[`need:${key}`]?.url ?? null,
      refused: state.failures[`comment:need:${key}`]?.message ?? null,
    })),
  };
}

function explainChunk(state: RunState, id: ChunkId, decision: Decision): ChunkExplanation {
  const chunk = findRow(state.chunks, id);
  if (chunk === undefined) return { chunk: id, phase: "waiting", why: "its plan revision is not approved yet" };
  const phase = deriveChunkPhase(chunk, state, deriveStops(state));
  return { chunk: id, phase, why: explainPhase(state, id, phase, decision) };
}

function explainPhase(state: RunState, id: ChunkId, phase: ChunkPhase, decision: Decision): string | null {
  if (phase === "landed" || phase === "skipped") return null;
  if (state.merged !== null) return "the feature is merged";
  if (state.cancelled !== null || state.ended !== null) return deriveHold(state);
  const stops = deriveStops(state);
  switch (phase) {
    case "escalated": {
      const reason = stops.escalated.get(id)?.reason ?? "is a person's business";
      return `${formatEscalation("it", reason)}; \`/retry ${id}\`, \`/skip ${id}\`, \`/take ${id}\` or \`/replan\` goes on`;
    }
    case "stopped":
      return `it waits for \`${stops.stopped.get(id) ?? ""}\`, which is a person's business`;
    case "waiting":
      return `it depends on ${formatOpenDeps(state, id)}`;
    default:
      return explainWaits(state, id, decision);
  }
}

function formatOpenDeps(state: RunState, id: ChunkId): string {
  const deps = deriveActiveRevision(state)?.plan.chunks.find((entry) => entry.id === id)?.deps ?? [];
  const open = deps.filter((dep) => {
    const other = findRow(state.chunks, dep as ChunkId);
    return other !== undefined && !isSettled(other);
  });
  return `${formatList(open.map((dep) => `\`${dep}\``))}, which ${open.length === 1 ? "has" : "have"} not landed`;
}

/** What the newest decision says of the chunk; null where a job of its own runs. */
function explainWaits(state: RunState, id: ChunkId, { actions, waits }: Decision): string | null {
  const concerning = waits.filter((wait) => wait.chunks?.includes(id) === true);
  const isRunning = concerning.some((wait) => (findRow(state.jobs, wait.subject as JobId)?.attemptOf ?? null) !== null);
  if (isRunning) return null;
  const next = actions.filter((action) => listChunksOf(action, state).includes(id));
  const reasons = [...concerning.map((wait) => describeWait(state, wait, id)), ...next.map(describeNext)];
  if (reasons.length > 0) return [...new Set(reasons)].join("; ");
  return deriveHold(state) ?? "nothing is known that keeps it: please report this";
}

function describeWait(state: RunState, wait: Wait, id: ChunkId): string {
  const job = findRow(state.jobs, wait.subject as JobId);
  if (job !== undefined) return `under way: ${formatJobWords(job.subject, state)}`;
  const isOthers = wait.subject !== id && findRow(state.chunks, wait.subject as ChunkId) !== undefined;
  return isOthers ? `nothing new starts because of \`${wait.subject}\`: ${wait.what}` : wait.what;
}

function describeNext(action: Action): string {
  return action.kind === "DispatchJob" && action.dispatch.attempt !== null
    ? "it starts next"
    : `to do now: ${action.reason}`;
}

/** For the terminal; texts of people, agents and GitHub stay on their line. @param formatTime of milliseconds since the epoch. */
export function formatExplanation(explanation: Explanation, formatTime: (at: number) => string): string {
  const lines = [`Run ${explanation.run}, as of ${formatTime(explanation.now)}`];
  if (explanation.next.length > 0)
    lines.push("", "To do now:", ...explanation.next.map((action) => `  ${action.reason} [${action.key}]`));
  if (explanation.chunks.length > 0)
    lines.push(
      "",
      "Chunks:",
      ...explanation.chunks.map(({ chunk, phase, why }) => `  ${chunk}: ${phase}${why === null ? "" : ` - ${why}`}`),
    );
  lines.push("", explanation.waits.length === 0 ? "Waits for nothing." : "Waits:");
  for (const wait of explanation.waits) {
    const until = wait.until === null ? "" : `, at the latest ${formatTime(wait.until)}`;
    lines.push(`  ${wait.subject}: ${wait.what}; until ${wait.unblock}${until}`);
  }
  if (explanation.questions.length > 0) lines.push("", "Questions to people:");
  for (const question of explanation.questions) lines.push(`  ${question.key}: ${formatAsked(question)}`);
  return lines.map(formatTerminalLine).join("\n");
}

function formatAsked({ url, refused }: Question): string {
  if (url !== null) return `asked on the issue, ${url}`;
  return `not asked on the issue yet${refused === null ? "" : `, since its comment failed: ${refused}`}`;
}
