/** What a job is for. Its result is worth something only while that is still what the run needs. */
import type { ChunkId, JobId } from "../../contracts/ids.ts";
import type { RunState } from "../state.ts";
import { findRow } from "../table.ts";
import type { NewSubject } from "./jobs.ts";
import { isPlanOverruled } from "./plan-gate.ts";

/**
 * Changes when a job of this subject that is under way would answer a question nobody asks any more: the
 * request to plan is another one, the draft has been written anew or a person wants it as it is, the chunk has
 * another attempt or is judged by other criteria, the feature was put together again. It goes out with a job and is
 * compared when it answers.
 */
export function derivePurpose(state: RunState, subject: NewSubject): string {
  const { planning } = state;
  const overruled = isPlanOverruled(state) ? ", overruled" : "";
  switch (subject.role) {
    case "plan":
      return `planning ${planning.n}, draft ${planning.drafts.length + 1}${overruled}`;
    case "plan-review":
      return `planning ${planning.n}, draft ${planning.drafts.length}${overruled}`;
    case "review":
      return formatAttempt(state, subject.chunk);
    case "floor": {
      if (subject.subject.startsWith("accept-")) return formatAccept(state);
      const [, chunk] = /^chunk-(.+)$/u.exec(subject.subject) ?? [];
      // A candidate's name says what it is made of.
      return chunk === undefined ? "" : formatAttempt(state, chunk as ChunkId);
    }
    case "final-review":
      return formatAccept(state);
    // The attempt itself, and the state of the baseline, say whether they still want this result.
    case "implement":
    case "baseline":
      return "";
  }
}

function formatAttempt(state: RunState, id: ChunkId): string {
  const last = findRow(state.chunks, id)?.attempts.at(-1);
  return last === undefined ? "" : `attempt ${last.n}, judging ${last.judging}`;
}

function formatAccept(state: RunState): string {
  return `acceptance ${state.accepts.length}`;
}

/** True when the job was sent out for something the run does not need any more: its result changes nothing. */
export function isOutdated(state: RunState, job: JobId): boolean {
  const known = findRow(state.jobs, job);
  return known !== undefined && known.purpose !== derivePurpose(state, known.subject);
}
