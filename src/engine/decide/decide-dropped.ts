import type { ChunkId } from "../../contracts/ids.ts";
import { deriveActiveRevision, findChunk } from "../derive/plan-progress.ts";
import type { ChunkState, RunState } from "../state.ts";
import { flattenRows, perRow } from "../table.ts";
import type { ActionBuilder } from "./action-builder.ts";

/**
 * Nobody is to look at what is not going to land: the pull request of a chunk that was dropped, or merged by hand in
 * another one, is closed and says why.
 */
export function decideDropped(builder: ActionBuilder, state: RunState): void {
  for (const { chunk, number, merged } of flattenRows(listNeedlessPulls(state.chunks))) {
    const revision = deriveActiveRevision(state);
    const rev = revision !== null && findChunk(revision, chunk) === undefined ? revision.rev : null;
    const dropped =
      rev === null ? `somebody dropped ${chunk}` : `plan revision ${rev} does not contain ${chunk} any more`;
    const why = merged === null ? dropped : `pull request ${merged} of ${chunk} was merged by hand`;
    const marker = `closed:${number}`;
    if (state.comments[marker] === undefined)
      builder.add(`comment:${marker}`, "cosmetic", `Saying why pull request ${number} is closed`, {
        kind: "PostComment",
        on: number,
        marker,
        subject: { kind: "closed", chunk, rev, ...(merged === null ? {} : { merged }) },
      });
    builder.add(`close:${number}`, "cosmetic", `Closing pull request ${number}: ${why}`, {
      kind: "ClosePull",
      number,
      why,
    });
  }
}

const NONE: readonly never[] = [];

interface NeedlessPull {
  readonly chunk: ChunkId;
  readonly number: number;
  /** The one that was merged instead; null = the chunk was dropped. */
  readonly merged: number | null;
}

const listNeedlessPulls = perRow((chunk: ChunkState): readonly NeedlessPull[] => {
  // Of what we landed ourselves, GitHub is about to mark every pull request as merged.
  const byHand = chunk.landed !== null && !chunk.landed.verified;
  const merged = byHand ? (chunk.pulls.find((pull) => pull.settled === "merged")?.number ?? null) : null;
  if (chunk.landed === null ? !chunk.skipped : merged === null) return NONE;
  const open = chunk.pulls.filter((pull) => pull.settled === null || pull.again === true);
  return open.length === 0 ? NONE : open.map(({ number }) => ({ chunk: chunk.id, number, merged }));
});
