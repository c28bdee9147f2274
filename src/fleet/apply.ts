/** Carries out one action and says what came of it, as facts. */
import type { Action, ActionWork } from "../engine/action.ts";
import type { Fact } from "../engine/fact.ts";
import { GitHubFailure } from "../contracts/errors.ts";
import { withPriority } from "../github/priority.ts";
import { applyAccept, applyCommitAccept, applyMarkReady, applyMergeFeature } from "./apply/accept.ts";
import { applyCandidate } from "./apply/candidate.ts";
import { applyChangeSet } from "./apply/change-set.ts";
import { applyCheck } from "./apply/check.ts";
import { applyClosing } from "./apply/closing.ts";
import { applyComment, applyStatus } from "./apply/comment.ts";
import { applyDeleteBranch } from "./apply/delete-branch.ts";
import { describeDispatch } from "./apply/describe-dispatch.ts";
import { applyCancel, applyDispatch } from "./apply/dispatch.ts";
import { applyGivenPlan } from "./apply/given-plan.ts";
import { applyIntegration } from "./apply/integration.ts";
import { applyLanding } from "./apply/landing.ts";
import { applyPlan } from "./apply/plan.ts";
import { applyChunkPull, applyFeatureBody, applyFeaturePull } from "./apply/pulls.ts";
import { applyTake } from "./apply/take.ts";
import { applyDismissal, applyReview } from "./apply/review.ts";
import type { RunSession } from "./run-session.ts";

/** Effects that a repeat would double in front of people: their beginning is recorded first. */
const VISIBLE: ReadonlySet<ActionWork["kind"]> = new Set([
  "DispatchJob",
  "OpenFeaturePull",
  "OpenChunkPull",
  "PublishCheck",
  "PostReview",
  "PostComment",
  "MarkReady",
]);

export type Outcome = "done" | "failed";

/** @throws TakenOver, GitHubFailure of kind dormant, and whatever is a bug of ours. */
export async function apply(session: RunSession, action: Action): Promise<Outcome> {
  const { log } = session.fleet;
  if (VISIBLE.has(action.kind)) {
    await session.append([
      {
        kind: "EffectStarted",
        effect: action.key,
        ...(action.kind === "DispatchJob" ? describeDispatch(action.dispatch) : {}),
      },
    ]);
  }
  const startedAt = session.fleet.clock.now();
  try {
    // Where GitHub's limits make requests wait, all requests of a landing go before those of a comment.
    const facts = await withPriority(action.priority, () => perform(session, action));
    await session.append(facts);
    // Not every effect has a fact of its own that says so; what has succeeded is nobody's worry any more.
    if (session.state.failures[action.key] !== undefined)
      await session.append([{ kind: "EffectEnded", effect: action.key }]);
    session.fleet.meter?.action(action.kind, "done", session.fleet.clock.now() - startedAt);
    log.info({ run: session.record.runKey, action: action.kind, effect: action.key }, action.reason);
    return "done";
  } catch (error) {
    session.fleet.meter?.action(action.kind, "failed", session.fleet.clock.now() - startedAt);
    if (!(error instanceof GitHubFailure) || error.kind === "dormant") throw error;
    log.warn(
      { run: session.record.runKey, action: action.kind, effect: action.key, failure: error.kind, ...error.details },
      error.message,
    );
    await session.append([
      {
        kind: "EffectFailed",
        effect: action.key,
        failure: error.kind,
        message: error.message,
        ambiguous: error.details.ambiguous === true,
        retryAfterMs: error.details.retryAfterMs ?? null,
      },
    ]);
    return "failed";
  }
}

async function perform(session: RunSession, action: Action): Promise<readonly Fact[]> {
  switch (action.kind) {
    case "CreateIntegration":
      return applyIntegration(session);
    case "DispatchJob":
      return applyDispatch(session, action);
    case "CancelJob":
      return applyCancel(session, action);
    case "ReadGivenPlan":
      return applyGivenPlan(session);
    case "CommitPlan":
      return applyPlan(session, action);
    case "OpenFeaturePull":
      return applyFeaturePull(session, action);
    case "UpdateFeaturePull":
      return applyFeatureBody(session);
    case "ApprovePlan":
      return [{ kind: "PlanApproved", rev: action.rev, hash: action.hash, by: "policy", why: action.why }];
    case "CommitChangeSet":
      return applyChangeSet(session, action);
    case "OpenChunkPull":
      return applyChunkPull(session, action);
    case "PublishCheck":
      return applyCheck(session, action);
    case "PostReview":
      return applyReview(session, action);
    case "DismissReview":
      return applyDismissal(session, action);
    case "CreateCandidate":
      return applyCandidate(session, action);
    case "LandChunks":
      return applyLanding(session, action);
    case "CreateAccept":
      return applyAccept(session, action);
    case "CommitAccept":
      return applyCommitAccept(session, action);
    case "MarkReady":
      return applyMarkReady(session, action);
    case "MergeFeature":
      return applyMergeFeature(session, action);
    case "PostComment":
      return applyComment(session, action);
    case "RefreshStatus":
      return applyStatus(session);
    case "ClosePull":
      return applyClosing(session, action);
    case "DeleteBranch":
      return applyDeleteBranch(session, action);
    case "CloseIssue":
      await session.repository.closeIssue(session.state.run.issue);
      return [{ kind: "IssueClosed" }];
    case "RequestFix":
      return [{ kind: "FixRequested", n: action.n, how: action.how, text: action.text }];
    case "CancelRun":
      return [{ kind: "RunCancelled", why: action.why }];
    case "PrepareTake":
      return applyTake(session, action);
    case "RestoreBranch":
      await session.repository.createBranch(action.branch, action.sha);
      return [{ kind: "BranchRestored", branch: action.branch, n: action.n }];
    case "EndRun":
      return [{ kind: "RunEnded", outcome: action.outcome }];
  }
}
