import type { ChunkId } from "../../contracts/ids.ts";
import { deriveActiveRevision, findChunk } from "../derive/plan-progress.ts";
import type { ChunkState, RunState } from "../state.ts";
import { flattenRows, perRow } from "../table.ts";
import type { ActionBuilder } from "./action-builder.ts";

/** Nobody is to look at what is not going to land: a dropped chunk's pull request is closed, and says why. */
export function decideDropped(builder: ActionBuilder, state: RunState): void {
  for (const { chunk, number } of flattenRows(listDroppedPulls(state.chunks))) {
    const revision = deriveActiveRevision(state);
    const rev = revision !== null && findChunk(revision, chunk) === undefined ? revision.rev : null;
    const why = rev === null ? `somebody dropped ${chunk}` : `plan revision ${rev} does not contain ${chunk} any more`;
    const marker = `closed:${number}`;
    if (state.comments[marker] === undefined)
      builder.add(`comment:${marker}`, "cosmetic", `Saying why pull request ${number} is closed`, {
        kind: "PostComment",
        on: number,
        marker,
        subject: { kind: "closed", chunk, rev },
      });
    builder.add(`close:${number}`, "cosmetic", `Closing pull request ${number}: ${why}`, {
      kind: "ClosePull",
      number,
      why,
    });
  }
}

const NONE: readonly never[] = [];

const listDroppedPulls = perRow(
  (chunk: ChunkState): ReadonlyArray<{ readonly chunk: ChunkId; readonly number: number }> => {
    if (!chunk.skipped || chunk.landed !== null) return NONE;
    const open = chunk.pulls.filter((pull) => pull.settled === null);
    return open.length === 0 ? NONE : open.map(({ number }) => ({ chunk: chunk.id, number }));
  },
);
