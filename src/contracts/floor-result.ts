/** What the App computed over captures: the deterministic floor of one commit. */

export type GateNumber = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export const GATE_NAMES: Readonly<Record<GateNumber, string>> = {
  0: "commands",
  1: "checks",
  2: "no regression",
  3: "no new lint",
  4: "no gaming",
  5: "enumeration",
  6: "scope",
  7: "requires tests",
  8: "coverage",
  9: "ci",
};

/**
 * - not-configured: the repository gives nothing to run;
 * - not-available: this version cannot compute it. Neither is ever a pass, and both force approval.
 */
export type GateOutcome = "pass" | "fail" | "not-configured" | "not-available";

export interface GateResult {
  readonly gate: GateNumber;
  readonly outcome: GateOutcome;
  /** What it was and what it is now, in a few words for a table; "" when there is nothing to say. */
  readonly was: string;
  readonly now: string;
}

export interface Violation {
  readonly gate: GateNumber;
  /** Kebab-case rule within the gate, e.g. `missing-test`, `out-of-scope`, `check-failed`. */
  readonly rule: string;
  readonly message: string;
  readonly path?: string;
  /** 1-based. */
  readonly line?: number;
  readonly was?: string;
  readonly now?: string;
  readonly hint?: string;
}

export interface FloorResult {
  /** pass = no violation and every configured gate passed. */
  readonly outcome: "pass" | "fail";
  readonly gates: readonly GateResult[];
  /** At most 200 are kept, sorted by gate, path and line; `more` counts the rest. */
  readonly violations: readonly Violation[];
  readonly more: number;
  /** Set when the toolchain is not the baseline's: nobody's try, the baseline is captured again. */
  readonly toolchainChanged?: { readonly was: string; readonly now: string };
}
