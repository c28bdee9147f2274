import type { ChunkId } from "../../contracts/ids.ts";
import type { RunState } from "../state.ts";

interface OpenChunkPull {
  readonly chunk: ChunkId;
  readonly number: number;
}

/** Of chunks that have not landed, as far as we know; what has landed GitHub is about to mark as merged. */
export function listOpenChunkPulls({ chunks, closedPulls }: RunState): readonly OpenChunkPull[] {
  return chunks.rows.flatMap(({ id, landed, pulls }) =>
    landed === null
      ? pulls
          .filter(({ number, settled }) => settled === null && !closedPulls.includes(number))
          .map(({ number }) => ({ chunk: id, number }))
      : [],
  );
}

/** All that would be left open when the run is over. */
export function listOpenPulls(state: RunState): readonly number[] {
  const ofChunks = listOpenChunkPulls(state).map(({ number }) => number);
  const { featurePull: feature, merged, closedPulls } = state;
  const isOpen = feature !== null && merged === null && feature.settled === null;
  return isOpen && !closedPulls.includes(feature.number) ? [...ofChunks, feature.number] : ofChunks;
}
