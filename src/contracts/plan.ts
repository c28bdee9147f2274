/**
 * plan.v3: what is to be built, as a DAG of chunks. The types mirror `schemas/plan.v3.schema.json`
 * key by key; a value of type `Plan` has passed `parsePlan` or `validatePlan` (src/plan).
 */

/** Starting tier of a chunk's agent; only a hint, the engine owns promotion. */
export type Tier = "code" | "mid" | "high";

/** A command that decides. Passes iff `sh -c run` in `cwd` ends with `expect_exit`. */
export interface Check {
  readonly desc: string;
  readonly run: string;
  /** Safe repository-relative folder; absent = the worktree's root. */
  readonly cwd?: string;
  /** 0..255; absent = 0. */
  readonly expect_exit?: number;
}

export interface AcceptanceCheck extends Check {
  readonly kind: "check";
}

/** A statement a reviewer judges. */
export interface AcceptanceAssertion {
  readonly kind: "assertion";
  readonly desc: string;
}

export type AcceptanceItem = AcceptanceCheck | AcceptanceAssertion;

export interface Chunk {
  /** `^[A-Za-z0-9][A-Za-z0-9_.-]*$`, unique in the plan also after case folding. */
  readonly id: string;
  readonly title: string;
  /** Ids of the chunks that must have landed first; absent = none. */
  readonly deps?: readonly string[];
  readonly tier: Tier;
  /** All an implementer needs to know. */
  readonly brief: string;
  /** Exact safe paths, no globs: the chunk may change these files and no others. */
  readonly files_touched: readonly string[];
  readonly checks: readonly Check[];
  /** Statements a reviewer judges, on top of the checks; absent = none. */
  readonly assertions?: readonly string[];
  /** The change must add or modify a test file; absent = false. */
  readonly requires_tests?: boolean;
}

export interface PlanFeature {
  readonly slug: string;
  /** Where the feature lands. */
  readonly source_branch: string;
  /** Where the chunks land. */
  readonly integration_branch: string;
}

/** What the floor compares with, captured at the fork commit. Hashes are `sha256:<hex>`. */
export interface Baseline {
  /** For display, `<integration branch>@fork`; `commit_oid` is authoritative. */
  readonly ref: string;
  readonly commit_oid: string;
  /** First line of the configured toolchain command, e.g. `node v24.22.3`. */
  readonly toolchain: string;
  readonly test_passlist_hash: string;
  /** Lint warnings of any linter; the name is the format's. */
  readonly clippy_warnings_hash: string;
  readonly enumerated_targets_hash: string;
}

export interface Plan {
  readonly schema_version: 3;
  /** A revision's bytes never change; the App writes from 1. */
  readonly plan_rev: number;
  /** Counts the accepted changes of the intent this plan answers. */
  readonly intent_rev: number;
  readonly feature: PlanFeature;
  readonly baseline: Baseline;
  /** Judged on the whole feature; at least one item is a check. */
  readonly acceptance: readonly AcceptanceItem[];
  readonly chunks: readonly Chunk[];
}
