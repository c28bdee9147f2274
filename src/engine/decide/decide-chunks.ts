import { listAgents } from "../../contracts/config.ts";
import type { Chunk } from "../../contracts/plan.ts";
import type { ChunkId } from "../../contracts/ids.ts";
import { listOpenCheckpoints } from "../derive/checkpoints.ts";
import { deriveStops, listLanded, listLiveAttempts } from "../derive/chunk-progress.ts";
import { listDoubtfulJobs } from "../derive/doubtful-jobs.ts";
import { deriveNextAttempt, deriveNextJob, findOpenJob } from "../derive/jobs.ts";
import { derivePurpose } from "../derive/purpose.ts";
import { buildAttemptFeedback } from "../derive/attempt-feedback.ts";
import { deriveActiveRevision, findChunk, findHold } from "../derive/plan-progress.ts";
import { listUnassignable } from "../derive/unassignable.ts";
import { deriveTier } from "../derive/promotion.ts";
import { deriveSchedule } from "../derive/schedule.ts";
import type { AttemptState, ChunkState, PlanRevision, RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";
import {
  buildDocuments,
  buildPlanDocument,
  buildRequest,
  formatChunkBranch,
  formatPullEffect,
} from "./build-request.ts";
import { waitForJob } from "./wait-for-job.ts";
import { findRow } from "../table.ts";

/** Every live attempt takes its next step; free chunks start. */
export function decideChunks(builder: ActionBuilder, state: RunState): void {
  const revision = deriveActiveRevision(state);
  if (revision === null) return;
  const stops = deriveStops(state);
  for (const { chunk: entry, attempt } of listLiveAttempts(state)) {
    const chunk = findChunk(revision, entry.id);
    if (chunk === undefined || stops.escalated.has(entry.id)) continue;
    decideAttempt(builder, state, { revision, chunk, entry, attempt });
  }
  decideStarts(builder, state, revision);
}

interface Step {
  readonly revision: PlanRevision;
  readonly chunk: Chunk;
  readonly entry: ChunkState;
  readonly attempt: AttemptState;
}

function decideAttempt(builder: ActionBuilder, state: RunState, step: Step): void {
  const { entry, attempt } = step;
  const { id } = entry;
  switch (attempt.stage) {
    case "implementing": {
      const job = findRow(state.jobs, attempt.job);
      if (job !== undefined && job.status === "open") waitForJob(builder, state, job);
      return;
    }
    case "received":
      builder.add(
        `commit:${id}:${attempt.n}`,
        "dispatch",
        `Committing attempt ${attempt.n} of ${id} (${attempt.files.length} files)`,
        {
          kind: "CommitChangeSet",
          chunk: id,
          attempt: attempt.n,
        },
      );
      return;
    case "committed":
    case "floor-passed": {
      if (!entry.pulls.some((pull) => pull.settled === null)) openPull(builder, step);
      decideJudge(builder, state, step);
      return;
    }
    case "verified":
      // A crash may have left open for long whether it is there; a landing waits for it.
      if (entry.pulls.length === 0) openPull(builder, step);
      return;
    default:
  }
}

function openPull(builder: ActionBuilder, { entry, attempt }: Step): void {
  builder.add(formatPullEffect(entry), "dispatch", `Opening the pull request of ${entry.id}`, {
    kind: "OpenChunkPull",
    chunk: entry.id,
    attempt: attempt.n,
  });
}

/** The floor first, then a reviewer that has never seen this chunk. */
function decideJudge(builder: ActionBuilder, state: RunState, { revision, chunk, entry, attempt }: Step): void {
  if (attempt.head === null) return;
  const role = attempt.stage === "committed" ? "floor" : "review";
  const name =
    role === "floor" ? ({ role, subject: `chunk-${entry.id}` } as const) : ({ role, chunk: entry.id } as const);
  const open = findOpenJob(state, name);
  if (open !== null && open.attemptOf === attempt.n) {
    waitForJob(builder, state, open);
    return;
  }
  const { job, subject } = deriveNextJob(state, name);
  const config = state.run.config;
  const request = {
    ...buildRequest(state, subject, job, attempt.head, revision.rev),
    chunk: entry.id,
    attempt: attempt.n,
    base: attempt.base,
  };
  builder.add(
    `job:${job}`,
    "dispatch",
    role === "floor"
      ? `Running the floor on attempt ${attempt.n} of ${entry.id}`
      : `Having attempt ${attempt.n} of ${entry.id} reviewed`,
    {
      kind: "DispatchJob",
      dispatch: {
        job,
        subject,
        branch: formatChunkBranch(state, entry.id),
        branchAt: null,
        request:
          role === "floor"
            ? { ...request, checks: { chunks: [entry.id], acceptance: false } }
            : {
                ...withoutAttempt(request),
                agent: config.roles.reviewer ?? listAgents(config)[0]?.name ?? "default",
                model: config.tiers[chunk.tier === "high" ? "high" : "mid"],
              },
        // A reviewer gets the specification and the commit; nothing of former attempts or verdicts.
        documents: {
          ...buildDocuments(state),
          ...(role === "review" ? { intent: null } : {}),
          plan: buildPlanDocument(revision),
        },
        attempt: null,
        attemptOf: attempt.n,
        purpose: derivePurpose(state, subject),
      },
    },
  );
}

/** A reviewer is not even told how many attempts there were. */
function withoutAttempt<Request extends { readonly attempt?: number }>(request: Request): Omit<Request, "attempt"> {
  const { attempt: _, ...rest } = request;
  return rest;
}

function decideStarts(builder: ActionBuilder, state: RunState, revision: PlanRevision): void {
  const schedule = deriveSchedule(state);
  const ready = [...schedule.start, ...schedule.taken].map((chunk) => chunk.id as ChunkId);
  const hold = findHold(state);
  if (hold !== null) {
    for (const id of ready) builder.wait({ subject: id, chunks: [id], ...hold });
    lookForDoubtful(builder, state, revision, schedule.start);
    return;
  }
  if (decideSettling(builder, state, [...ready, ...schedule.held.map((wait) => wait.subject as ChunkId)])) {
    lookForDoubtful(builder, state, revision, schedule.start);
    return;
  }
  builder.waits.push(...schedule.held);
  for (const chunk of schedule.start) startAttempt(builder, state, revision, chunk);
  for (const chunk of schedule.taken) {
    const taken = findRow(state.chunks, chunk.id as ChunkId)?.taken ?? null;
    if (taken !== null) decideTaken(builder, state, chunk.id as ChunkId, taken);
  }
}

/** What may be under way goes on whatever keeps others from starting, and so it is looked for: a look starts nothing. */
function lookForDoubtful(
  builder: ActionBuilder,
  state: RunState,
  revision: PlanRevision,
  chunks: readonly Chunk[],
): void {
  const doubtful = new Set(listDoubtfulJobs(state.pending).map(({ pending }) => pending.attempt?.chunk));
  for (const chunk of chunks) if (doubtful.has(chunk.id as ChunkId)) startAttempt(builder, state, revision, chunk);
}

/**
 * What must be settled by people before anything new starts: chunks without an agent, checkpoints.
 * @param free the chunks that would start otherwise, now or once there is room.
 */
function decideSettling(builder: ActionBuilder, state: RunState, free: readonly ChunkId[]): boolean {
  const unassignable = listUnassignable(state);
  for (const id of unassignable)
    builder.wait({
      subject: id,
      chunks: [id, ...free.filter((other) => other !== id)],
      what: "no agent fits it",
      until: null,
      unblock: `\`/assign ${id} <agent>\`, \`/take ${id}\` or \`/skip ${id}\``,
    });
  const checkpoints = listOpenCheckpoints(state);
  for (const { chunk, reason } of checkpoints)
    builder.wait({
      subject: chunk,
      chunks: free,
      what: `checkpoint: ${reason}`,
      until: null,
      unblock: "`/resume` by somebody who has looked",
    });
  return unassignable.length > 0 || checkpoints.length > 0;
}

/** A person implements it: they get the branch, and their push is the attempt. */
function decideTaken(
  builder: ActionBuilder,
  state: RunState,
  id: ChunkId,
  taken: NonNullable<ChunkState["taken"]>,
): void {
  const tip = state.integration?.tip;
  const chunk = findRow(state.chunks, id);
  if (taken.base === null && tip !== undefined && chunk !== undefined) {
    const n = deriveNextAttempt(state, chunk);
    builder.add(`take:${id}:${n}`, "dispatch", `Preparing the branch of ${id} for ${taken.by}`, {
      kind: "PrepareTake",
      chunk: id,
      base: tip,
      n,
    });
    return;
  }
  const last = chunk?.attempts.slice(chunk.countFrom).at(-1);
  const refused = last?.stage === "refused" && last.head !== null ? last.n : null;
  builder.wait({
    subject: id,
    chunks: [id],
    what: `${taken.by} implements it${refused === null ? "" : `; what was pushed as attempt ${refused} was refused`}`,
    until: null,
    unblock: `${refused === null ? "a" : "another"} push to ${formatChunkBranch(state, id)}`,
  });
}

function startAttempt(builder: ActionBuilder, state: RunState, revision: PlanRevision, chunk: Chunk): void {
  const entry = findRow(state.chunks, chunk.id as ChunkId);
  const tip = state.integration?.tip;
  if (entry === undefined || tip === undefined) return;
  const { job, subject } = deriveNextJob(state, { role: "implement", chunk: entry.id });
  const n = deriveNextAttempt(state, entry);
  const config = state.run.config;
  const agents = listAgents(config);
  const agent = agents.find((candidate) => candidate.name === entry.agent) ?? agents[0];
  if (agent === undefined) return;
  const { tier, model } = deriveTier(entry, chunk.tier, config);
  const last = entry.attempts.findLast((attempt) => attempt.head !== null && attempt.stage !== "landed");
  const feedback = buildAttemptFeedback(entry, listLanded(state));
  builder.add(
    `job:${job}`,
    "dispatch",
    entry.attempts.length === 0
      ? `Starting ${entry.id}: its dependencies have landed and its files are free`
      : `Starting attempt ${n} of ${entry.id}: ${describeLast(entry)}`,
    {
      kind: "DispatchJob",
      dispatch: {
        job,
        subject,
        branch: formatChunkBranch(state, entry.id),
        branchAt: tip,
        request: {
          ...buildRequest(state, subject, job, tip, revision.rev),
          chunk: entry.id,
          attempt: n,
          agent: agent.name,
          model,
          ...(last === undefined || last.head === null ? {} : { start: { base: last.base, head: last.head } }),
        },
        documents: { ...buildDocuments(state), intent: null, plan: buildPlanDocument(revision), feedback },
        attempt: { chunk: entry.id, n, planRev: revision.rev, agent: agent.name, model, tier, base: tip },
        attemptOf: n,
        purpose: derivePurpose(state, subject),
      },
    },
  );
}

function describeLast(entry: ChunkState): string {
  const last = entry.attempts.at(-1);
  switch (last?.stage) {
    case "refused":
      return "the last change set was refused";
    case "floor-failed":
      return "the last one failed the floor";
    case "review-failed":
      return "the reviewer found it wanting";
    case "unusable":
      return "the agent gave nothing usable";
    case "external":
      return "something outside failed";
    case "conflicted":
      return "the last one conflicts with what has landed";
    case "integration-failed":
      return "the last one fails together with what has landed";
    default:
      return "the plan has changed";
  }
}
