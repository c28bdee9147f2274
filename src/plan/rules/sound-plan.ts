import type { AcceptanceItem, Check, Chunk, Plan, PlanFeature } from "../../contracts/plan.ts";

/**
 * The parts of a plan whose shape is sound, each at its place. A whole plan is one, so the rules
 * need not know whether something else in the document is broken.
 */
export interface SoundPlan extends Partial<Omit<Plan, "feature" | "acceptance" | "chunks">> {
  readonly feature?: Partial<PlanFeature>;
  readonly acceptance?: readonly (Partial<AcceptanceItem> | undefined)[];
  readonly chunks?: readonly (SoundChunk | undefined)[];
}

export interface SoundChunk extends Partial<Omit<Chunk, "deps" | "files_touched" | "checks" | "assertions">> {
  readonly deps?: readonly (string | undefined)[];
  readonly files_touched?: readonly (string | undefined)[];
  readonly checks?: readonly (Partial<Check> | undefined)[];
  readonly assertions?: readonly (string | undefined)[];
}
