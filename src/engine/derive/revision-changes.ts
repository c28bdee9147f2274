import type { Plan } from "../../contracts/plan.ts";
import { diffPlans } from "../../plan/diff/diff-plans.ts";

export type ChunkFate = "unchanged" | "criteria" | "definition";

/** What a revision means for the chunks that the former one has as well. */
export function deriveRevisionChanges(former: Plan | null, next: Plan): ReadonlyMap<string, ChunkFate> {
  const fates = new Map<string, ChunkFate>();
  if (former === null) return fates;
  for (const change of diffPlans(former, next).chunks) {
    switch (change.kind) {
      case "redefined":
      case "downstream":
        fates.set(change.id, "definition");
        break;
      case "criteria":
        fates.set(change.id, "criteria");
        break;
      case "cosmetic":
      case "unchanged":
        fates.set(change.id, "unchanged");
        break;
      case "added":
      case "removed":
        break;
    }
  }
  return fates;
}
