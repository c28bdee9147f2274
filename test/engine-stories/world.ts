/** What the world answers to the engine's actions: agents, floors, reviewers, GitHub. Everything passes unless told otherwise. */
import type { FloorResult } from "../../src/contracts/floor-result.ts";
import type { ChunkId } from "../../src/contracts/ids.ts";
import type { PlanLens } from "../../src/contracts/names.ts";
import type { Chunk } from "../../src/contracts/plan.ts";
import type { ReviewResult } from "../../src/contracts/review-result.ts";
import type { DraftPlan, PlanFinding } from "../../src/engine/fact.ts";
import { passFloor, passReview } from "./results.ts";

/** `lost` = the workflow run never ran, or ended without an artifact. */
export type ImplementOutcome = "done" | "refused" | "unusable" | "external" | "lost";

export interface World {
  /** The draft of a planning round; `planning` counts `/replan`s from 1, `round` its drafts from 1. */
  draft(
    planning: number,
    round: number,
  ): DraftPlan | { readonly questions: readonly string[] } | { readonly refused: string };
  planFindings(lens: PlanLens, round: number): readonly PlanFinding[];
  implement(chunk: ChunkId, attempt: number): ImplementOutcome;
  floor(chunk: ChunkId, attempt: number): FloorResult | "lost";
  review(chunk: Chunk, attempt: number): ReviewResult | "lost";
  /** Whether a chunk's change set touches what landed since it began. */
  conflicts(chunk: ChunkId, attempt: number): boolean;
  candidate(chunks: readonly ChunkId[]): FloorResult | "lost";
  acceptFloor(n: number): FloorResult | "lost";
  finalReview(n: number, criteria: Chunk): ReviewResult | "lost";
  ci(n: number): "pass" | "fail" | "pending";
  /** Whether the source branch moves before the n-th acceptance is merged. */
  sourceMoves(n: number): boolean;
}

export function buildWorld(draft: DraftPlan, change: Partial<World> = {}): World {
  return {
    draft: () => draft,
    planFindings: () => [],
    implement: () => "done",
    floor: () => passFloor(),
    review: (chunk) => passReview(chunk),
    conflicts: () => false,
    candidate: () => passFloor(),
    acceptFloor: () => passFloor(),
    finalReview: (_n, criteria) => passReview(criteria),
    ci: () => "pass",
    sourceMoves: () => false,
    ...change,
  };
}
