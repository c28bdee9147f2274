import type { Sha } from "../../../src/contracts/ids.ts";
import type { Actor } from "../../../src/github/port.ts";
import type { ModelCheck, ModelComment, ModelPull, ModelReview, ModelRun } from "./things.ts";

/** Something that happened, for those who watch. */
export type Happening =
  | {
      readonly kind: "ref";
      readonly at: number;
      readonly by: Actor;
      readonly branch: string;
      readonly from: Sha | null;
      readonly to: Sha | null;
    }
  | { readonly kind: "dispatch"; readonly at: number; readonly run: ModelRun }
  | { readonly kind: "run-ended"; readonly at: number; readonly run: ModelRun; readonly conclusion: string }
  | { readonly kind: "comment"; readonly at: number; readonly comment: ModelComment }
  | { readonly kind: "pull"; readonly at: number; readonly pull: ModelPull }
  | { readonly kind: "review"; readonly at: number; readonly review: ModelReview }
  | { readonly kind: "check"; readonly at: number; readonly check: ModelCheck }
  | { readonly kind: "merge"; readonly at: number; readonly by: Actor; readonly pull: ModelPull; readonly commit: Sha };

/** Who is told of it, and what the model does not decide itself. */
export interface ModelHooks {
  /** Something happened, told at once and in order. */
  happened(happening: Happening): void;
  /** A webhook GitHub would send. */
  emit(event: string, payload: Readonly<Record<string, unknown>>): void;
  /** A workflow run begins its life. */
  startRun(run: ModelRun): void;
  /** How long until GitHub notices that a base contains a pull request's head. */
  mergeDelay(pull: number): number;
}
