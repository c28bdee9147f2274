/** Planned stops: after such a chunk has landed, nothing new starts until a person has looked. */
import picomatch from "picomatch";
import type { ChunkId } from "../../contracts/ids.ts";
import type { Chunk } from "../../contracts/plan.ts";
import type { Config } from "../../contracts/config.ts";
import { isDependencyFile } from "../../floor/dependency-files.ts";
import type { PlanRevision, RunState } from "../state.ts";
import { onceOf } from "./once.ts";
import { deriveActiveRevision } from "./plan-progress.ts";
import { findRow } from "../table.ts";

export interface Checkpoint {
  readonly chunk: ChunkId;
  readonly reason: string;
}

/** Who looked at what landed once has not seen what lands when the chunk is built again. */
export interface ReachedCheckpoint extends Checkpoint {
  /** The chunk and the attempt that landed. */
  readonly key: string;
}

/** Why a person looks after this chunk, by the configuration's rules or the plan's own; null = nobody needs to. */
export function deriveCheckpoint(revision: PlanRevision, rules: Config["checkpoints"], chunk: Chunk): string | null {
  for (const rule of rules) {
    const isListed = rule.paths.length === 0 ? () => false : picomatch([...rule.paths], { dot: true });
    const applies =
      chunk.files_touched.some((path) => isListed(path)) ||
      rule.tiers.includes(chunk.tier) ||
      (rule.dependencies && chunk.files_touched.some((path) => isDependencyFile(path)));
    if (applies) return rule.reason;
  }
  return revision.draft.checkpoints.find((entry) => entry.after === chunk.id)?.reason ?? null;
}

const listPlanned = onceOf((revision: PlanRevision, rules: Config["checkpoints"]): readonly Checkpoint[] =>
  revision.plan.chunks.flatMap((chunk) => {
    const reason = deriveCheckpoint(revision, rules, chunk);
    return reason === null ? [] : [{ chunk: chunk.id as ChunkId, reason }];
  }),
);

/** Checkpoints that have been reached and not been passed. */
export function listOpenCheckpoints(state: RunState): readonly ReachedCheckpoint[] {
  const revision = deriveActiveRevision(state);
  if (revision === null) return [];
  return listPlanned(revision, state.run.config.checkpoints).flatMap((checkpoint) => {
    const landed = findRow(state.chunks, checkpoint.chunk)?.landed ?? null;
    if (landed === null) return [];
    const key = `${checkpoint.chunk}:${landed.attempt}`;
    return state.passedCheckpoints.includes(key) ? [] : [{ ...checkpoint, key }];
  });
}
