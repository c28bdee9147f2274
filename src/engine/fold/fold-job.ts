import { formatJobId } from "../../contracts/names.ts";
import type { ChunkId } from "../../contracts/ids.ts";
import { addSpent, measureJob, replaceSpent } from "../derive/spent.ts";
import { countKey } from "../derive/jobs.ts";
import { extendOutage, findOutage, formatProvider, LONGEST_OUTAGE_MS } from "../derive/outage.ts";
import { derivePurpose, isOutdated } from "../derive/purpose.ts";
import type { Fact } from "../fact.ts";
import type { DraftState, JobState, RunState } from "../state.ts";
import { changeAccept, changeAttempt, changeAttemptOfJob, changeCandidate, changeChunk } from "./change.ts";
import { beginAttempt } from "./begin-attempt.ts";
import { endEffect } from "./fold-effect.ts";
import { MAX_LOST_JOBS } from "../derive/unusual.ts";
import { omit, replaceLast } from "./omit.ts";
import { restoreBranch } from "./restore-branch.ts";
import { findRow, putRow } from "../table.ts";

type JobFact = Extract<Fact, { kind: "JobDispatched" | "JobEnded" }>;

export function foldJob(state: RunState, fact: JobFact, at: number): RunState {
  return fact.kind === "JobDispatched" ? foldDispatched(state, fact, at) : foldEnded(state, fact, at);
}

function foldDispatched(state: RunState, fact: Extract<JobFact, { kind: "JobDispatched" }>, at: number): RunState {
  if (fact.job !== formatJobId(state.run.run, fact.subject))
    throw new Error(`job ${fact.job} does not name its subject`);
  const key = countKey(fact.subject);
  const job: JobState = {
    job: fact.job,
    subject: fact.subject,
    status: "open",
    outcome: null,
    cause: "",
    runId: fact.runId,
    url: fact.url,
    attemptOf: fact.attemptOf,
    purpose: fact.purpose ?? derivePurpose(state, fact.subject),
    agent: fact.agent ?? fact.attempt?.agent ?? null,
    dispatchedAt: at,
    endedAt: null,
    remedy: null,
    usage: null,
  };
  let next: RunState = {
    ...endEffect(state, fact.effect),
    counts: putRow(state.counts, key, Math.max(findRow(state.counts, key) ?? 0, fact.subject.n)),
    jobs: putRow(state.jobs, fact.job, job),
    spent: addSpent(state.spent, measureJob(job)),
  };
  if (fact.attempt !== null) {
    const start = fact.attempt;
    next = restoreBranch(next, start.chunk);
    const { n, planRev, agent, model, tier, base } = start;
    const attempt = beginAttempt({
      n,
      planRev,
      agent,
      model,
      tier,
      base,
      stage: "implementing",
      job: fact.job,
      startedAt: at,
    });
    next = changeChunk(next, start.chunk, (chunk) => ({ ...chunk, attempts: [...chunk.attempts, attempt] }));
  }
  return next;
}

function foldEnded(state: RunState, fact: Extract<JobFact, { kind: "JobEnded" }>, at: number): RunState {
  const job = findRow(state.jobs, fact.job);
  if (job === undefined || job.status === "ended") return state;
  const ended: JobState = {
    ...job,
    status: "ended",
    outcome: fact.outcome,
    cause: fact.cause,
    usage: fact.usage,
    remedy: fact.remedy ?? null,
    runId: fact.runId ?? job.runId,
    url: fact.url ?? job.url,
    endedAt: at,
  };
  const next: RunState = {
    ...state,
    jobs: putRow(state.jobs, fact.job, ended),
    spent: replaceSpent(state.spent, job, ended),
    outages: foldOutage(state, ended, at),
  };
  // The fact that follows a done job says what it was good for; how one failed that nobody needs is nobody's.
  if (fact.outcome === "done" || fact.outcome === "cancelled" || isOutdated(state, fact.job)) return next;
  return foldFailedJob(next, ended, countLost(next, ended, at));
}

/** An agent that came through, whatever it made of it, shows that what it depends on is back. */
function foldOutage(state: RunState, job: JobState, at: number): RunState["outages"] {
  if (job.agent === null || job.outcome === "lost" || job.outcome === "cancelled") return state.outages;
  const provider = formatProvider(state.run.config, job.agent);
  if (job.remedy?.kind === "wait")
    return { ...state.outages, [provider]: extendOutage(state.outages[provider], job.remedy, job.cause, at) };
  return job.outcome === "external" || state.outages[provider] === undefined
    ? state.outages
    : omit(state.outages, provider);
}

/** How many jobs without a result it counts for: as many as are let pass where only a person helps, none that waits. */
function countLost(state: RunState, job: JobState, at: number): number {
  switch (job.remedy?.kind) {
    case "person":
      return MAX_LOST_JOBS;
    case "wait": {
      const outage = job.agent === null ? null : findOutage(state, job.agent);
      return outage !== null && at - outage.since < LONGEST_OUTAGE_MS ? 0 : 1;
    }
    case undefined:
      return 1;
  }
}

/** @param lost how many jobs without a result it counts for, where it is nobody's fault. */
function foldFailedJob(state: RunState, job: JobState, lost: number): RunState {
  const { subject, cause } = job;
  const fault = job.outcome === "unusable";
  switch (subject.role) {
    case "baseline":
      return { ...state, baseline: { ...state.baseline, lost: [...state.baseline.lost, cause] } };
    case "plan": {
      if (!fault) {
        const counted = Array.from({ length: lost }, () => cause);
        return { ...state, planning: { ...state.planning, lost: [...state.planning.lost, ...counted] } };
      }
      const draft: DraftState = {
        job: job.job,
        round: state.planning.drafts.length + 1,
        outcome: "unusable",
        draft: null,
        text: "",
        problems: [cause],
        warnings: [],
        verdicts: {},
        voidVerdicts: {},
      };
      return { ...state, planning: { ...state.planning, drafts: [...state.planning.drafts, draft] } };
    }
    case "plan-review": {
      const drafts = state.planning.drafts;
      const last = drafts.at(-1);
      if (last === undefined) return state;
      const voidVerdicts = {
        ...last.voidVerdicts,
        [subject.lens]: (last.voidVerdicts[subject.lens] ?? 0) + (fault ? 1 : lost),
      };
      return { ...state, planning: { ...state.planning, drafts: replaceLast(drafts, { ...last, voidVerdicts }) } };
    }
    case "implement":
      return changeAttemptOfJob(state, subject.chunk, job.job, (attempt) => {
        if (attempt.stage !== "implementing") return attempt;
        return fault
          ? { ...attempt, stage: "unusable", cause }
          : { ...attempt, stage: "external", cause, lostJobs: lost };
      });
    case "review":
      return changeAttempt(state, subject.chunk, job.attemptOf ?? 0, (attempt) => {
        if (attempt.stage !== "floor-passed") return attempt;
        if (fault) return { ...attempt, voidReviews: attempt.voidReviews + 1, cause };
        return { ...attempt, lostJobs: attempt.lostJobs + lost, cause };
      });
    case "floor":
      return foldFailedFloor(state, subject.subject, job.attemptOf ?? 0, cause);
    case "final-review":
      return changeAccept(state, null, (accept) =>
        fault ? { ...accept, voidReviews: accept.voidReviews + 1 } : { ...accept, lostJobs: accept.lostJobs + lost },
      );
  }
}

function foldFailedFloor(state: RunState, subject: string, attemptOf: number, cause: string): RunState {
  if (subject.startsWith("accept-"))
    return changeAccept(state, null, (accept) => ({ ...accept, lostJobs: accept.lostJobs + 1 }));
  if (subject.startsWith("candidate-"))
    return changeCandidate(state, subject.slice("candidate-".length), (candidate) => ({
      ...candidate,
      lostJobs: candidate.lostJobs + 1,
    }));
  const chunk = findRow(state.chunks, subject.slice("chunk-".length) as ChunkId);
  if (chunk === undefined) return state;
  return changeAttempt(state, chunk.id, attemptOf, (attempt) =>
    attempt.stage === "committed" ? { ...attempt, lostJobs: attempt.lostJobs + 1, cause } : attempt,
  );
}
