import { listAgents } from "../../contracts/config.ts";
import { isAllDropped, listLandedIds } from "../derive/chunk-progress.ts";
import { deriveAcceptStep, deriveCiDeadline } from "../derive/accept-progress.ts";
import { listBlockers } from "../derive/blockers.ts";
import { buildFixRequest } from "../derive/fix-request.ts";
import { isRefusedForGood } from "../derive/given-up.ts";
import { deriveNextJob, findOpenJob } from "../derive/jobs.ts";
import { derivePurpose } from "../derive/purpose.ts";
import { deriveActiveRevision } from "../derive/plan-progress.ts";
import { findDueRunCheck } from "../derive/surfaces.ts";
import type { AcceptState, RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";
import { buildDocuments, buildPlanDocument, buildRequest, formatIntegration } from "./build-request.ts";
import { formatCheckEffect, publishCheck } from "./decide-surfaces.ts";
import { waitForJob } from "./wait-for-job.ts";

/** The whole feature against the current source head: floor, final review, the repository's own CI, merge. */
export function decideAccept(builder: ActionBuilder, state: RunState, now: number): void {
  const step = deriveAcceptStep(state, now);
  switch (step.step) {
    case "not-yet":
      if (isAllDropped(state))
        builder.wait({
          subject: "run",
          what: "every chunk was dropped: nothing is left to build",
          until: null,
          unblock: "`/replan` with what to build instead, `/retry` of a chunk, or `/cancel`",
        });
      return;
    case "create": {
      const tip = state.integration?.tip;
      if (tip === undefined) return;
      builder.add(
        `accept:${step.n}`,
        "landing",
        "All chunks have landed: putting the feature on the current source head",
        {
          kind: "CreateAccept",
          n: step.n,
          tip,
        },
      );
      return;
    }
    case "floor":
    case "review":
      decideAcceptJob(builder, state, step.accept, step.step);
      return;
    case "commit":
      builder.add(
        `accept-commit:${step.accept.n}`,
        "landing",
        "Floor and final review passed on the whole feature: starting the repository's own checks",
        {
          kind: "CommitAccept",
          n: step.accept.n,
        },
      );
      return;
    case "ci":
      builder.wait({
        subject: "ci",
        what: "the repository's own checks are running on the accepted commit",
        until: deriveCiDeadline(step.accept, state),
        unblock: "they end, or their deadline passes and people are asked",
      });
      return;
    case "merge":
      decideMerge(builder, state, step.accept, now);
      return;
    case "fix":
      builder.add(`fix:${step.accept.n}`, "dispatch", `Having the plan mended: ${step.why}`, {
        kind: "RequestFix",
        n: step.accept.n,
        how: step.how,
        text: buildFixRequest(state, step.accept, step.how),
      });
      return;
    case "person":
      builder.wait({
        subject: "accept",
        what: step.why,
        until: null,
        unblock: "`/replan` with what should change, or `/cancel`",
      });
  }
}

function decideAcceptJob(builder: ActionBuilder, state: RunState, accept: AcceptState, step: "floor" | "review"): void {
  const revision = deriveActiveRevision(state);
  if (revision === null) return;
  const name = { role: "floor", subject: `accept-${accept.n}` } as const;
  const open = step === "floor" ? findOpenJob(state, name) : findOpenJob(state, { role: "final-review" });
  if (open !== null) {
    waitForJob(builder, state, open);
    return;
  }
  const { job, subject } =
    step === "floor" ? deriveNextJob(state, name) : deriveNextJob(state, { role: "final-review" });
  const config = state.run.config;
  // Not from the fork: what others have landed since is in the candidate too, and is not what is judged.
  const request = { ...buildRequest(state, subject, job, accept.commit, revision.rev), base: accept.source };
  const landed = listLandedIds(state);
  builder.add(
    `job:${job}`,
    "landing",
    step === "floor" ? "Running every check on the whole feature" : "Having the whole feature reviewed",
    {
      kind: "DispatchJob",
      dispatch: {
        job,
        subject,
        branch: accept.branch === "" ? formatIntegration(state) : accept.branch,
        branchAt: null,
        request:
          step === "floor"
            ? { ...request, checks: { chunks: [...landed], acceptance: true } }
            : {
                ...request,
                agent: config.roles.reviewer ?? listAgents(config)[0]?.name ?? "default",
                model: config.tiers.high,
              },
        documents: {
          ...buildDocuments(state),
          ...(step === "floor" ? { intent: null } : {}),
          plan: buildPlanDocument(revision),
        },
        attempt: null,
        attemptOf: null,
        purpose: derivePurpose(state, subject),
      },
    },
  );
}

function decideMerge(builder: ActionBuilder, state: RunState, accept: AcceptState, now: number): void {
  // It is opened anew after a person closed it: nothing is merged past the place where people look.
  if (state.featurePull === null) {
    builder.wait({
      subject: "feature",
      what: "everything passed, and the feature pull request is being opened anew",
      until: null,
      unblock: "it is open",
    });
    return;
  }
  if (!state.featurePull.ready) {
    builder.add("feature-ready", "landing", "Everything passed: the feature pull request is ready", {
      kind: "MarkReady",
    });
    return;
  }
  if (accept.accepted === null) return;
  const blockers = listBlockers(state, state.featurePull.number, { chunk: null, attempt: null, accept: accept.n });
  if (blockers.length > 0) {
    builder.wait({
      subject: "feature",
      what: `changes are requested by ${blockers.join(", ")}`,
      until: null,
      unblock: "the review is dismissed or approved, or `/override review <why>` on the feature pull request",
    });
    return;
  }
  if (state.run.config.merge.feature === "auto") {
    if (awaitsCheck(builder, state, now)) return;
    builder.add(`merge:${accept.n}`, "landing", "Merging the feature: it was verified on this very commit", {
      kind: "MergeFeature",
      n: accept.n,
      commit: accept.accepted,
    });
    return;
  }
  builder.wait({
    subject: "feature",
    what: "the feature pull request is ready",
    until: null,
    unblock: "somebody merges it",
  });
}

/** A rule may require the check `taskfleet`: it passes before the merge. Where GitHub takes no check, none is waited for. */
function awaitsCheck(builder: ActionBuilder, state: RunState, now: number): boolean {
  const check = findDueRunCheck(state, now);
  if (check === null || isRefusedForGood(state, formatCheckEffect(check))) return false;
  publishCheck(builder, check, "landing");
  return true;
}
