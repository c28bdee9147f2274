import { listAgents } from "../../contracts/config.ts";
import type { JobFeedback } from "../../contracts/job.ts";
import { PLAN_LENSES } from "../../contracts/names.ts";
import { formatPlan } from "../../plan/build-plan.ts";
import { listLandedIds } from "../derive/chunk-progress.ts";
import { deriveNextJob, findOpenJob } from "../derive/jobs.ts";
import { derivePurpose } from "../derive/purpose.ts";
import { listOpenFindings } from "../derive/plan-findings.ts";
import { derivePlanGate } from "../derive/plan-gate.ts";
import { deriveActiveRevision } from "../derive/plan-progress.ts";
import type { DraftPlan } from "../fact.ts";
import type { RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";
import { buildDocuments, buildRequest, formatIntegration } from "./build-request.ts";
import { waitForJob } from "./wait-for-job.ts";

/** Baseline and draft go out together; a valid draft faces three blind reviewers; then it is committed. */
export function decidePlan(builder: ActionBuilder, state: RunState): void {
  if (state.baseline.bound === null) decideBaseline(builder, state);
  else if (state.baseline.renewing && state.paused === null) decideRenewal(builder, state);
  if (state.planning.done || state.paused !== null) return;
  const gate = derivePlanGate(state);
  switch (gate.next) {
    case "draft":
      decideDraft(builder, state, gate.why);
      return;
    case "given":
      builder.add("given-plan", "dispatch", gate.why, { kind: "ReadGivenPlan" });
      return;
    case "review":
      for (const lens of PLAN_LENSES) if (gate.missing.includes(lens)) decideReview(builder, state, lens);
      return;
    case "commit":
      if (state.baseline.bound === null) return;
      builder.add(`plan:${state.revisions.length + 1}`, "dispatch", gate.why, {
        kind: "CommitPlan",
        rev: state.revisions.length + 1,
      });
      return;
    case "person":
      builder.wait({
        subject: "plan",
        what: gate.why,
        until: null,
        unblock: "`/replan` with what should be different, or `/cancel`",
      });
  }
}

/** A new baseline, then a revision that differs in nothing else; one that is being written anyway takes it along. */
function decideRenewal(builder: ActionBuilder, state: RunState): void {
  if (state.baseline.bound?.renewal !== state.baseline.renewals) {
    decideBaseline(builder, state);
    return;
  }
  if (!state.planning.done || deriveActiveRevision(state) === null) return;
  const rev = state.revisions.length + 1;
  builder.add(`plan:${rev}`, "dispatch", "The toolchain changed: committing the new baseline", {
    kind: "CommitPlan",
    rev,
  });
}

function decideBaseline(builder: ActionBuilder, state: RunState): void {
  const open = findOpenJob(state, { role: "baseline" });
  if (open !== null) {
    waitForJob(builder, state, open);
    return;
  }
  const tries = state.baseline.refused.length + state.baseline.lost.length;
  if (tries >= state.run.config.limits.tries) {
    builder.wait({
      subject: "baseline",
      what: `the baseline could not be captured in ${tries} tries`,
      until: null,
      unblock: "`/replan` to try again, or mend what the last try reports, then `/cancel` and label the issue again",
    });
    return;
  }
  const { job, subject } = deriveNextJob(state, { role: "baseline" });
  builder.add(`job:${job}`, "dispatch", "Capturing the baseline at the fork commit", {
    kind: "DispatchJob",
    dispatch: {
      job,
      subject,
      branch: formatIntegration(state),
      branchAt: null,
      request: buildRequest(state, subject, job, state.run.fork, 0),
      documents: buildDocuments(state),
      attempt: null,
      attemptOf: null,
      purpose: derivePurpose(state, subject),
    },
  });
}

function decideDraft(builder: ActionBuilder, state: RunState, why: string): void {
  const open = findOpenJob(state, { role: "plan" });
  if (open !== null) {
    waitForJob(builder, state, open);
    return;
  }
  const { job, subject } = deriveNextJob(state, { role: "plan" });
  const revision = state.revisions.length + 1;
  const config = state.run.config;
  builder.add(`job:${job}`, "dispatch", why, {
    kind: "DispatchJob",
    dispatch: {
      job,
      subject,
      branch: formatIntegration(state),
      branchAt: null,
      request: {
        ...buildRequest(state, subject, job, state.integration?.tip ?? state.run.fork, revision),
        agent: config.roles.planner ?? listAgents(config)[0]?.name ?? "default",
        model: config.tiers.high,
      },
      documents: { ...buildDocuments(state), feedback: buildPlanFeedback(state) },
      attempt: null,
      attemptOf: null,
      purpose: derivePurpose(state, subject),
    },
  });
}

/** What the planner is told about former drafts, the running plan and the request of a `/replan`. */
function buildPlanFeedback(state: RunState): JobFeedback | null {
  const { drafts, request } = state.planning;
  const last = drafts.at(-1);
  const active = deriveActiveRevision(state) ?? state.revisions.at(-1) ?? null;
  if (last === undefined && request === null && active === null) return null;
  const items: Array<JobFeedback["items"][number]> = [];
  for (const problem of last?.problems ?? []) items.push({ source: "validation", text: problem.slice(0, 4000) });
  for (const { id, lens, severity, chunk, title, evidence } of listOpenFindings(state.planning))
    items.push({
      source: `review:${lens}`,
      text: `${id} (${severity}): ${chunk === "" ? "" : `${chunk}: `}${title}: ${evidence}`.slice(0, 4000),
    });
  const former = last?.draft ?? null;
  const draft = former === null ? (last?.text ?? "") : JSON.stringify(former);
  const landed = listLandedIds(state);
  return {
    v: 1,
    items: items.slice(0, 500),
    ...(draft === "" ? {} : { draft }),
    ...(active === null ? {} : { plan: formatPlan(active.plan) }),
    ...(landed.length === 0 ? {} : { landed: [...landed] }),
    ...(request === null ? {} : { request: request.text.slice(0, 65_536) }),
  };
}

function decideReview(builder: ActionBuilder, state: RunState, lens: (typeof PLAN_LENSES)[number]): void {
  const open = findOpenJob(state, { role: "plan-review", lens });
  if (open !== null) {
    waitForJob(builder, state, open);
    return;
  }
  const draft = state.planning.drafts.at(-1);
  if (draft === undefined || draft.draft === null) return;
  const { job, subject } = deriveNextJob(state, { role: "plan-review", lens });
  const config = state.run.config;
  builder.add(`job:${job}`, "dispatch", `Having draft ${draft.round} reviewed for ${lens}`, {
    kind: "DispatchJob",
    dispatch: {
      job,
      subject,
      branch: formatIntegration(state),
      branchAt: null,
      request: {
        ...buildRequest(state, subject, job, state.integration?.tip ?? state.run.fork, state.revisions.length + 1),
        agent: config.roles.plan_reviewer ?? config.roles.reviewer ?? listAgents(config)[0]?.name ?? "default",
        model: config.tiers.high,
        lens,
      },
      documents: {
        ...buildDocuments(state),
        plan: { kind: "text", text: `${JSON.stringify(withoutAnswers(draft.draft), null, 2)}\n` },
      },
      attempt: null,
      attemptOf: null,
      purpose: derivePurpose(state, subject),
    },
  });
}

/** Reviewers judge the plan: what the planner answered to former reviewers is kept from them. */
function withoutAnswers(draft: DraftPlan): Omit<DraftPlan, "answers"> {
  const { answers: _, ...rest } = draft;
  return rest;
}
