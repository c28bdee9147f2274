import type { ChunkId, JobId, Sha } from "../../contracts/ids.ts";
import type { Fact } from "../fact.ts";
import { isOutdated } from "../derive/purpose.ts";
import { deriveRevisionChanges } from "../derive/revision-changes.ts";
import type { AttemptState, ChunkState, DraftState, PlanRevision, RunState } from "../state.ts";
import { moveTip } from "./change.ts";
import { replaceLast } from "./omit.ts";
import { buildTable, findRow } from "../table.ts";

type PlanFact = Extract<
  Fact,
  {
    kind:
      | "BaselineBound"
      | "BaselineRefused"
      | "DraftReceived"
      | "DraftRefused"
      | "QuestionsAsked"
      | "AnswerGiven"
      | "PlanReviewed"
      | "PlanCommitted"
      | "PlanApproved";
  }
>;

/** What a planner or a plan reviewer says. */
const ANSWERS = ["DraftReceived", "DraftRefused", "QuestionsAsked", "AnswerGiven", "PlanReviewed"] as const;

export function foldPlan(state: RunState, fact: PlanFact, at: number): RunState {
  const { planning } = state;
  if (isAnswer(fact) && isUnasked(state, fact.job)) return state;
  switch (fact.kind) {
    case "BaselineBound": {
      const { baseline, document, unconfigured, notes } = fact;
      return {
        ...state,
        baseline: {
          ...state.baseline,
          bound: { baseline, document, unconfigured, notes, renewal: state.baseline.renewals },
        },
      };
    }
    case "BaselineRefused":
      return { ...state, baseline: { ...state.baseline, refused: [...state.baseline.refused, fact.problems] } };
    case "DraftReceived":
      return addDraft(state, {
        job: fact.job,
        outcome: "valid",
        draft: fact.draft,
        text: "",
        problems: [],
        warnings: fact.warnings,
      });
    case "DraftRefused":
      return addDraft(state, {
        job: fact.job,
        outcome: "refused",
        draft: null,
        text: fact.text,
        problems: fact.problems,
        warnings: [],
      });
    case "QuestionsAsked":
      return { ...state, planning: { ...planning, questions: fact.questions } };
    case "AnswerGiven":
      return { ...state, answerText: fact.text };
    case "PlanReviewed":
      return foldPlanReviewed(state, fact);
    case "PlanCommitted": {
      const { rev, plan, hash, commit, draft, agents } = fact;
      const revision: PlanRevision = { rev, plan, hash, commit, draft, agents, at };
      // Only the baseline differs: the approval of what is built carries over.
      const renewed = state.baseline.renewing && state.approved !== null && state.approved.hash === hash;
      return {
        ...state,
        planning: { ...planning, done: true },
        baseline: {
          ...state.baseline,
          renewing: state.baseline.renewing && state.baseline.bound?.renewal !== state.baseline.renewals,
        },
        approved: renewed && state.approved !== null ? { ...state.approved, rev } : state.approved,
        revisions: [...state.revisions, revision],
        verified: carryVerified(state, commit),
        integration: moveTip(state, commit, at),
      };
    }
    case "PlanApproved":
      return approveRevision(state, fact.rev, { by: fact.by, why: fact.why });
  }
}

function isAnswer(fact: PlanFact): fact is Extract<PlanFact, { kind: (typeof ANSWERS)[number] }> {
  return (ANSWERS as readonly string[]).includes(fact.kind);
}

/** The job answers a request, or reviews a draft, that another one has taken the place of. */
function isUnasked(state: RunState, job: JobId): boolean {
  if (findRow(state.jobs, job) !== undefined) return isOutdated(state, job);
  // The plan a person wrote is nobody's job: it is read once, for the first search.
  return state.planning.request !== null || state.planning.drafts.length > 0;
}

/** A commit of evidence alone holds the same tree as the tip before it, as far as the floor is concerned. */
export function carryVerified(state: RunState, commit: Sha): RunState["verified"] {
  const document = state.integration === null ? undefined : state.verified[state.integration.tip];
  return document === undefined ? state.verified : { ...state.verified, [commit]: document };
}

/** A new search for a plan; what was drafted before is history. */
export function startPlanning(state: RunState, request: NonNullable<RunState["planning"]["request"]>): RunState {
  const planning = { n: state.planning.n + 1, request, drafts: [], questions: [], lost: [], done: false };
  return { ...state, planning };
}

function addDraft(state: RunState, draft: Omit<DraftState, "round" | "verdicts" | "voidVerdicts">): RunState {
  const { planning } = state;
  const round = planning.drafts.length + 1;
  return {
    ...state,
    planning: { ...planning, drafts: [...planning.drafts, { ...draft, round, verdicts: {}, voidVerdicts: {} }] },
  };
}

function foldPlanReviewed(state: RunState, fact: Extract<PlanFact, { kind: "PlanReviewed" }>): RunState {
  const { drafts } = state.planning;
  const last = drafts.at(-1);
  if (last === undefined || last.verdicts[fact.lens] !== undefined) return state;
  const changed: DraftState =
    fact.outcome === "void"
      ? { ...last, voidVerdicts: { ...last.voidVerdicts, [fact.lens]: (last.voidVerdicts[fact.lens] ?? 0) + 1 } }
      : {
          ...last,
          verdicts: {
            ...last.verdicts,
            [fact.lens]: { job: fact.job, outcome: fact.outcome, findings: fact.findings, summary: fact.summary },
          },
        };
  return { ...state, planning: { ...state.planning, drafts: replaceLast(drafts, changed) } };
}

/**
 * Chunks follow the newest approved revision. What the revision leaves as it was goes on; what it
 * changes is pending again on top of what landed; what it drops is superseded.
 */
export function approveRevision(
  state: RunState,
  rev: number,
  approval: { readonly by: string; readonly why: string },
): RunState {
  const revision = state.revisions.find((entry) => entry.rev === rev);
  if (revision === undefined || (state.approved !== null && state.approved.rev >= rev)) return state;
  const former = state.revisions.find((entry) => entry.rev === state.approved?.rev) ?? null;
  const changes = deriveRevisionChanges(former?.plan ?? null, revision.plan);
  const chunks: Array<readonly [ChunkId, ChunkState]> = [];
  const wanted = new Set<ChunkId>();
  for (const chunk of revision.plan.chunks) {
    const id = chunk.id as ChunkId;
    wanted.add(id);
    const planned = revision.agents[id] ?? "";
    const old = findRow(state.chunks, id);
    if (old === undefined) {
      const chunk: ChunkState = {
        id,
        attempts: [],
        countFrom: 0,
        freed: 0,
        agent: planned,
        pulls: [],
        landed: null,
        stopped: null,
        taken: null,
        skipped: false,
      };
      chunks.push([id, chunk]);
      continue;
    }
    // Known, but not to the former revision: it was dropped once and is wanted again.
    const change = changes.get(id) ?? "definition";
    // Whom a person gave it to keeps it, unless it becomes another task.
    const assigned = old.agent !== (former?.agents[id] ?? "") && change !== "definition";
    chunks.push([id, followChange(old, change, assigned ? old.agent : planned)]);
  }
  // Dropped chunks stay in the record, superseded.
  for (const old of state.chunks.rows) {
    if (!wanted.has(old.id)) chunks.push([old.id, { ...supersede(old), skipped: true }]);
  }
  return {
    ...state,
    chunks: buildTable(chunks),
    overrides: keepOverrides(state, changes),
    approved: { rev, hash: revision.hash, ...approval },
  };
}

/** What a person overruled was found by other criteria, where an attempt is judged anew. */
function keepOverrides(state: RunState, changes: ReturnType<typeof deriveRevisionChanges>): RunState["overrides"] {
  return state.overrides.filter(({ chunk, attempt }) => {
    const former = chunk === null || changes.get(chunk) !== "criteria" ? undefined : findRow(state.chunks, chunk);
    return former === undefined || findJudgeable(former)?.n !== attempt;
  });
}

/** The attempt that other criteria may find good, or null. */
function findJudgeable(chunk: ChunkState): (AttemptState & { readonly head: Sha }) | null {
  const last = chunk.attempts.at(-1);
  if (chunk.landed !== null || last === undefined || PAST.has(last.stage)) return null;
  const { head } = last;
  return head === null ? null : { ...last, head };
}

/**
 * Made for another definition, or by an agent that people took it from; or nothing that any criteria let land: it
 * holds what no commit may, or does not fit what has landed since.
 */
const PAST: ReadonlySet<AttemptState["stage"]> = new Set(["superseded", "landed", "refused", "conflicted"]);

function followChange(old: ChunkState, change: "unchanged" | "criteria" | "definition", agent: string): ChunkState {
  switch (change) {
    case "unchanged":
      return { ...old, agent };
    case "definition":
      return { ...startAnew(old), agent, stopped: null, skipped: false };
    case "criteria": {
      // The change set stays; floor and review judge it anew.
      const last = findJudgeable(old);
      if (last === null) return { ...startAnew(old), agent };
      const fresh = {
        ...last,
        stage: "committed" as const,
        floor: null,
        review: null,
        opinions: [],
        ledger: [],
        voidReviews: 0,
        lostJobs: 0,
        judging: last.judging + 1,
      };
      const attempts = replaceLast(old.attempts, fresh);
      return { ...old, agent, attempts, countFrom: old.attempts.length - 1, freed: old.freed + 1 };
    }
  }
}

/** It is built again on top of what landed. Who had taken it has done their part once it has landed. */
function startAnew(chunk: ChunkState): ChunkState {
  const taken = chunk.landed === null ? chunk.taken : null;
  return { ...supersede(chunk), landed: null, taken, countFrom: chunk.attempts.length };
}

function supersede(chunk: ChunkState): ChunkState {
  const last = chunk.attempts.at(-1);
  if (last === undefined || last.stage === "landed") return chunk;
  return { ...chunk, attempts: replaceLast(chunk.attempts, { ...last, stage: "superseded" }) };
}
