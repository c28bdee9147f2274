import type { ExecutionPlan } from "../../contracts/execution-plan.ts";
import type { Plan } from "../../contracts/plan.ts";
import type { Problem } from "../../contracts/problem.ts";

export const documentKinds = ["plan", "execution-plan"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** A file that was looked at. */
export type Examined =
  | {
      readonly state: "plan";
      readonly file: string;
      readonly text: string;
      readonly plan: Plan;
      readonly warnings: readonly Problem[];
    }
  | {
      readonly state: "execution-plan";
      readonly file: string;
      readonly text: string;
      readonly executionPlan: ExecutionPlan;
      readonly warnings: readonly Problem[];
    }
  /** Readable, but not a valid document; `kind` is `null` where it could not be told. */
  | {
      readonly state: "invalid";
      readonly file: string;
      readonly text: string;
      readonly kind: DocumentKind | null;
      readonly errors: readonly Problem[];
      readonly warnings: readonly Problem[];
    }
  /** Missing, unreadable, or neither kind of document. */
  | { readonly state: "unexaminable"; readonly file: string; readonly errors: readonly Problem[] };

/** 0 valid, 1 readable but not valid, 2 could not be examined. */
export function findExitCode(examined: Examined): number {
  switch (examined.state) {
    case "plan":
    case "execution-plan":
      return 0;
    case "invalid":
      return 1;
    case "unexaminable":
      return 2;
  }
}
