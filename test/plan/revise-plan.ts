import type { Chunk, Plan } from "../../src/contracts/plan.ts";
import { buildChunk, buildPlanOf } from "./build-valid-plan.ts";

/** Four chunks: a <- b <- c, and d by itself. */
export const base = buildPlanOf(
  buildChunk("a", { assertions: ["one", "two"] }),
  buildChunk("b", { deps: ["a"] }),
  buildChunk("c", { deps: ["b"] }),
  buildChunk("d"),
);

/** The next revision with some chunks changed; `null` drops one. */
export function revise(changes: Record<string, Partial<Chunk> | null>, rest: Partial<Plan> = {}): Plan {
  const chunks = base.chunks.flatMap((chunk) => {
    const change = changes[chunk.id];
    return change === null ? [] : [{ ...chunk, ...change }];
  });
  return { ...base, plan_rev: 2, chunks, ...rest };
}
