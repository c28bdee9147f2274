/** What the App made of a verdict after verifying its evidence mechanically. */
import type { Evidence } from "./verdict.ts";

export interface VerifiedEvidence extends Evidence {
  /** Whether the lines belong to the change, or are unchanged code at the commit. */
  readonly changed: boolean;
  /** Set when the quote stood a few lines off and was located. */
  readonly movedFrom?: number;
}

export interface CriterionResult {
  /** Position in the criteria, from 0, and its text. */
  readonly index: number;
  readonly criterion: string;
  readonly result: "pass" | "fail";
  readonly implementation: readonly VerifiedEvidence[];
  readonly tests: ReadonlyArray<VerifiedEvidence | { readonly check: number; readonly desc: string }>;
  readonly expected?: string;
  readonly found?: string;
  readonly where?: VerifiedEvidence | null;
}

export interface FindingResult {
  readonly severity: "blocking" | "warning";
  readonly title: string;
  readonly expected: string;
  readonly found: string;
  readonly where: VerifiedEvidence;
}

/**
 * - pass / fail: a believable verdict;
 * - void: not believable (`reasons` say why): the reviewer's failure, never a pass and never the implementer's fault.
 */
export type ReviewResult =
  | {
      readonly outcome: "pass" | "fail";
      readonly criteria: readonly CriterionResult[];
      readonly findings: readonly FindingResult[];
      readonly warnings: readonly string[];
      readonly summary: string;
      /** final-review: the chunks of the plan the findings are about; empty otherwise. */
      readonly chunks: readonly string[];
    }
  | { readonly outcome: "void"; readonly reasons: readonly string[] };

/** What the App made of one plan reviewer's verdict. */
export type PlanReviewResult =
  | {
      readonly outcome: "pass" | "fail";
      readonly findings: ReadonlyArray<{
        readonly severity: "blocking" | "warning";
        /** A chunk of the plan, or "" for the plan as a whole. */
        readonly chunk: string;
        readonly title: string;
        readonly evidence: string;
      }>;
      readonly summary: string;
    }
  | { readonly outcome: "void"; readonly reasons: readonly string[] };
