import type { JobId } from "../../src/contracts/ids.ts";
import type { PlanLens } from "../../src/contracts/names.ts";
import type { Chunk } from "../../src/contracts/plan.ts";
import type { DraftPlan, Fact, PlanFinding } from "../../src/engine/fact.ts";
import { fakeHash, fakeSha } from "./names.ts";
import { buildDraft } from "./plans.ts";
import { RecordedRun, URL } from "./recorded-run.ts";

/** A run as far as its plan: intake, baseline, drafts and their reviews, approval. */
export class PlanStory extends RecordedRun {
  intake(): this {
    return this.record({ kind: "IntegrationCreated", commit: fakeSha("intake"), intentBlob: fakeSha("intent") });
  }

  bindBaseline(unconfigured: readonly string[] = [], notes: readonly string[] = []): this {
    const job = this.dispatch({ role: "baseline" });
    return this.endJob(job).record(this.buildBaselineBound(job, unconfigured, notes));
  }

  buildBaselineBound(job: JobId, unconfigured: readonly string[] = [], notes: readonly string[] = []): Fact {
    return {
      kind: "BaselineBound",
      job,
      baseline: {
        ref: `taskfleet/${this.run}/integration@fork`,
        commit_oid: fakeSha("fork"),
        toolchain: "node v24.22.3",
        test_passlist_hash: `sha256:${fakeHash("tests")}`,
        clippy_warnings_hash: `sha256:${fakeHash("lint")}`,
        enumerated_targets_hash: `sha256:${fakeHash("targets")}`,
      },
      document: "captures-fork",
      unconfigured,
      notes,
    };
  }

  receiveDraft(draft: DraftPlan, warnings: readonly string[] = []): this {
    const job = this.dispatch({ role: "plan" });
    return this.endJob(job).record({ kind: "DraftReceived", job, draft, warnings });
  }

  refuseDraft(...problems: readonly string[]): this {
    const job = this.dispatch({ role: "plan" });
    return this.endJob(job).record({ kind: "DraftRefused", job, text: "{}", problems });
  }

  askQuestions(...questions: readonly string[]): this {
    const job = this.dispatch({ role: "plan" });
    return this.endJob(job).record({ kind: "QuestionsAsked", job, questions });
  }

  reviewPlan(lens: PlanLens, findings: readonly PlanFinding[] = []): this {
    const job = this.dispatch({ role: "plan-review", lens });
    const blocked = findings.some((finding) => finding.severity === "blocking");
    return this.endJob(job).record({
      kind: "PlanReviewed",
      job,
      lens,
      outcome: blocked ? "fail" : "pass",
      findings,
      summary: blocked ? "The plan does not hold." : "The plan holds.",
    });
  }

  commitPlan(draft: DraftPlan): this {
    return this.record(this.buildPlanCommitted(draft));
  }

  buildPlanCommitted(draft: DraftPlan): Fact {
    const rev = this.state.revisions.length + 1;
    const baseline = this.state.baseline.bound?.baseline;
    if (baseline === undefined) throw new Error("no baseline is bound");
    return {
      kind: "PlanCommitted",
      rev,
      plan: {
        schema_version: 3,
        plan_rev: rev,
        intent_rev: 1,
        feature: { slug: "budgets", source_branch: "main", integration_branch: `taskfleet/${this.run}/integration` },
        baseline,
        acceptance: draft.acceptance,
        chunks: draft.chunks,
      },
      hash: fakeHash(JSON.stringify([draft.chunks, draft.acceptance])),
      commit: fakeSha(`plan-${rev}`),
      draft,
      agents: draft.assignments,
    };
  }

  openFeature(): this {
    const number = this.nextNumber();
    return this.record({
      kind: "FeaturePullOpened",
      effect: "feature-pull",
      number,
      nodeId: `PR_${number}`,
      url: `${URL}/pull/${number}`,
    });
  }

  /** From the beginning to a plan that waits for approval. */
  propose(chunks: readonly Chunk[], change: Partial<DraftPlan> = {}): this {
    const draft = buildDraft(chunks, change);
    this.intake().bindBaseline().receiveDraft(draft);
    for (const lens of ["feasibility", "completeness", "scope"] as const) this.reviewPlan(lens);
    return this.commitPlan(draft).openFeature().comment("status").comment("approval:1");
  }

  approve(): this {
    this.command("approve");
    return this;
  }
}
