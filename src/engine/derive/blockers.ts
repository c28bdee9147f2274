import type { ChunkId } from "../../contracts/ids.ts";
import type { ChunkState, RunState } from "../state.ts";
import { deriveAcceptStep } from "./accept-progress.ts";
import { listVerified } from "./landing-queue.ts";
import type { GateSubject } from "./overrides.ts";

/** What a writer asked for in a review, as a gate that people may overrule; typed as `review`. */
export const REQUESTED_CHANGES = "requested changes";

/** Writers whose standing request for changes keeps a pull request from landing, and whom nobody overruled there. */
export function listBlockers(state: RunState, pull: number, subject: GateSubject): readonly string[] {
  const logins = state.blockers[pull]?.logins ?? [];
  if (logins.length === 0) return logins;
  const overruled = new Set(
    state.overrides
      .filter(
        (one) =>
          one.gate === REQUESTED_CHANGES &&
          one.chunk === subject.chunk &&
          one.attempt === subject.attempt &&
          one.accept === subject.accept,
      )
      .flatMap((one) => one.requests ?? []),
  );
  return logins.filter((login) => !overruled.has(login));
}

/** Of the attempt that would land. */
export function listChunkBlockers(state: RunState, chunk: ChunkState, attempt: number): readonly string[] {
  const pull = chunk.pulls.at(-1);
  return pull === undefined ? [] : listBlockers(state, pull.number, { chunk: chunk.id, attempt, accept: null });
}

export interface Blocked {
  /** null = the whole feature. */
  readonly chunk: ChunkId | null;
  readonly logins: readonly string[];
  /** Of the pull request they want changed. */
  readonly url: string;
}

/** What would land, or be merged, if nobody had requested changes of it. */
export function listBlocked(state: RunState, now: number): readonly Blocked[] {
  if (Object.keys(state.blockers).length === 0) return [];
  const chunks = listVerified(state).map(({ chunk, attempt }) => ({
    chunk: chunk.id,
    logins: listChunkBlockers(state, chunk, attempt.n),
    url: chunk.pulls.at(-1)?.url ?? "",
  }));
  const step = deriveAcceptStep(state, now);
  const feature = state.featurePull;
  const whole =
    step.step !== "merge" || feature === null
      ? []
      : [
          {
            chunk: null,
            logins: listBlockers(state, feature.number, { chunk: null, attempt: null, accept: step.accept.n }),
            url: feature.url,
          },
        ];
  return [...chunks, ...whole].filter(({ logins }) => logins.length > 0);
}
