import type { AcceptanceItem, Chunk } from "../../contracts/plan.ts";

/** Fields whose change makes a chunk another piece of work. */
export type DefinitionField = "brief" | "files_touched" | "deps" | "checks" | "requires_tests";
/** Fields whose change is judged anew on the work that exists. */
export type CriteriaField = "check descriptions" | "assertions";
/** Fields that mean nothing to a result. */
export type CosmeticField = "title" | "tier";

/** What a revision means for one chunk. */
export type ChunkChange =
  /** New work. */
  | { readonly kind: "added"; readonly id: string; readonly next: Chunk }
  /** No longer wanted; a landed one stays in the tree. */
  | { readonly kind: "removed"; readonly id: string; readonly old: Chunk; readonly landed: boolean }
  /** Pending again, on top of what landed. `upstream` lists redefined chunks it also waits for. */
  | {
      readonly kind: "redefined";
      readonly id: string;
      readonly old: Chunk;
      readonly next: Chunk;
      readonly landed: boolean;
      readonly fields: readonly (DefinitionField | CriteriaField | CosmeticField)[];
    }
  /** Pending again, since chunks it waits for are. */
  | {
      readonly kind: "downstream";
      readonly id: string;
      readonly old: Chunk;
      readonly next: Chunk;
      readonly landed: boolean;
      /** The redefined chunks above it, in plan order. */
      readonly of: readonly string[];
    }
  /** A fresh floor and review of the change set it has. */
  | {
      readonly kind: "criteria";
      readonly id: string;
      readonly old: Chunk;
      readonly next: Chunk;
      readonly landed: boolean;
      readonly fields: readonly (CriteriaField | CosmeticField)[];
    }
  /** Goes on as it was. */
  | {
      readonly kind: "cosmetic";
      readonly id: string;
      readonly old: Chunk;
      readonly next: Chunk;
      readonly landed: boolean;
      readonly fields: readonly CosmeticField[];
    }
  | {
      readonly kind: "unchanged";
      readonly id: string;
      readonly old: Chunk;
      readonly next: Chunk;
      readonly landed: boolean;
    };

export interface PlanDiff {
  readonly from: number;
  readonly to: number;
  /** `null` when the intent is the same. */
  readonly intent: { readonly from: number; readonly to: number } | null;
  /** Chunks of the new revision in its order, then the removed ones in their old order. */
  readonly chunks: readonly ChunkChange[];
  readonly acceptance: { readonly added: readonly AcceptanceItem[]; readonly removed: readonly AcceptanceItem[] };
  /** Names of the changed fields of `baseline` and `feature`, e.g. `baseline.toolchain`. */
  readonly frame: readonly string[];
}

/** True when the revision differs at most in its baseline and numbers: the approval of the old one holds. */
export function keepsApproval(diff: PlanDiff): boolean {
  return (
    diff.intent === null &&
    diff.acceptance.added.length === 0 &&
    diff.acceptance.removed.length === 0 &&
    diff.frame.every((field) => field.startsWith("baseline.")) &&
    diff.chunks.every((change) => change.kind === "unchanged")
  );
}

/** Ids of the chunks to be built (again): added, redefined and downstream ones. */
export function listPending(diff: PlanDiff): readonly string[] {
  return diff.chunks
    .filter(({ kind }) => kind === "added" || kind === "redefined" || kind === "downstream")
    .map(({ id }) => id);
}
