/** Why is this chunk not running? What does each wait wait for, until when, and what would end it? */
import type { Wait } from "../../engine/action.ts";
import { decide, type Timing } from "../../engine/decide.ts";
import { deriveChunkPhase, deriveStops } from "../../engine/derive/chunk-progress.ts";
import { listQuestions } from "../../engine/derive/needs.ts";
import { deriveActiveRevision, deriveHold } from "../../engine/derive/plan-progress.ts";
import type { ChunkId } from "../../contracts/ids.ts";
import type { RunState } from "../../engine/state.ts";
import { findRow } from "../../engine/table.ts";

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
  /** Questions that people were asked. */
  readonly questions: readonly string[];
}

export function explainRun(state: RunState, now: number, timing: Timing): Explanation {
  const { actions, waits } = decide(state, now, timing);
  return {
    run: state.run.run,
    now,
    next: actions.map((action) => ({ kind: action.kind, key: action.key, reason: action.reason })),
    chunks: (deriveActiveRevision(state)?.plan.chunks ?? []).map(({ id }) => explainChunk(state, id as ChunkId, waits)),
    waits,
    questions: listQuestions(state, now).map((need) => need.key),
  };
}

function explainChunk(state: RunState, id: ChunkId, waits: readonly Wait[]): ChunkExplanation {
  const chunk = findRow(state.chunks, id);
  if (chunk === undefined) return { chunk: id, phase: "waiting", why: "its plan revision is not approved yet" };
  const stops = deriveStops(state);
  const phase = deriveChunkPhase(chunk, state, stops);
  return { chunk: id, phase, why: explainPhase(state, id, phase, waits) };
}

function explainPhase(state: RunState, id: ChunkId, phase: string, waits: readonly Wait[]): string | null {
  const chunk = findRow(state.chunks, id);
  const stops = deriveStops(state);
  switch (phase) {
    case "landed":
    case "skipped":
    case "implementing":
    case "validating":
    case "reviewing":
      return null;
    case "escalated":
      return `it ${stops.escalated.get(id)?.reason ?? "is a person's business"}; \`/retry ${id}\`, \`/skip ${id}\`, \`/take ${id}\` or \`/replan\` goes on`;
    case "stopped":
      return `it waits for \`${stops.stopped.get(id) ?? ""}\`, which is a person's business`;
    case "waiting": {
      const definition = deriveActiveRevision(state)?.plan.chunks.find((entry) => entry.id === id);
      const open = (definition?.deps ?? []).filter((dep) => {
        const other = findRow(state.chunks, dep as ChunkId);
        return other !== undefined && other.landed === null && !other.skipped;
      });
      return `it depends on ${open.map((dep) => `\`${dep}\``).join(", ")}, which has not landed`;
    }
    default: {
      const own = waits.find((wait) => wait.subject === id);
      const general = waits.find((wait) => wait.subject === "budget");
      const hold = deriveHold(state);
      return (
        own?.what ??
        hold ??
        general?.what ??
        (chunk?.taken === undefined || chunk.taken === null ? "it starts next" : `@${chunk.taken.by} implements it`)
      );
    }
  }
}

/** For the terminal. @param formatTime of milliseconds since the epoch. */
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
    const until = wait.until === null ? "until a person acts" : `until ${formatTime(wait.until)} at the latest`;
    lines.push(`  ${wait.subject}: ${wait.what}; ${until}; ends when ${wait.unblock}`);
  }
  if (explanation.questions.length > 0) lines.push("", `Asked on the issue: ${explanation.questions.join(", ")}`);
  return lines.join("\n");
}
