/**
 * A run told fact by fact: every verb records what the shell would record, and the state is the fold
 * of it. Nothing here decides; tests ask `decide` and the messages about the state.
 */
import { configSchema, type Config } from "../../src/contracts/config.ts";
import type { Violation } from "../../src/contracts/floor-result.ts";
import { formatRunKey, type ChunkId, type JobId, type RunId, type RunKey } from "../../src/contracts/ids.ts";
import type { FloorResult } from "../../src/contracts/floor-result.ts";
import type { Usage } from "../../src/contracts/job.ts";
import type { PlanLens } from "../../src/contracts/names.ts";
import type { Chunk } from "../../src/contracts/plan.ts";
import type { ReviewResult } from "../../src/contracts/review-result.ts";
import { deriveNextJob, type NewSubject } from "../../src/engine/derive/jobs.ts";
import { derivePurpose } from "../../src/engine/derive/purpose.ts";
import type { CommandName, DraftPlan, Fact, PlanFinding, RecordedFact, RunStarted } from "../../src/engine/fact.ts";
import { fold } from "../../src/engine/fold.ts";
import type { AttemptState, RunState } from "../../src/engine/state.ts";
import type { LedgerEntry } from "../../src/review/ledger.ts";
import { fakeHash, fakeSha } from "./names.ts";
import { buildDraft } from "./plans.ts";
import { findRow } from "../../src/engine/table.ts";

/** 30 November 2026, 09:00 UTC. */
const MORNING = 1_796_029_200_000;
const MINUTE = 60_000;
const URL = "https://github.com/octo/tally";
const USAGE: Usage = { inputTokens: 40_000, outputTokens: 3_000, usd: 0.21, model: "model-1" };

export interface StoryOptions {
  readonly issue?: number;
  readonly title?: string;
  readonly actor?: string;
  /** What differs from the default configuration, as the file has it. */
  readonly config?: unknown;
  /** A first plan that no planner wrote. */
  readonly given?: RunStarted["given"];
}

export class Story {
  readonly facts: RecordedFact[] = [];
  readonly run: RunKey;
  readonly config: Config;
  #state: RunState | null = null;
  #now = MORNING;
  #comment = 1000;
  #number: number;

  constructor(options: StoryOptions = {}) {
    const issue = options.issue ?? 7;
    const title = options.title ?? "Budgets per category";
    this.run = formatRunKey(issue, 1, title);
    this.config = configSchema.parse(options.config ?? {});
    this.#number = issue + 1;
    const started: RunStarted = {
      kind: "RunStarted",
      run: this.run,
      runId: "2026-11-30-001" as RunId,
      repository: { id: 1, owner: "octo", name: "tally", url: URL },
      issue,
      title,
      actor: options.actor ?? "alice",
      source: "main",
      fork: fakeSha("fork"),
      defaultBranch: "main",
      tools: fakeSha("fork"),
      config: this.config,
      configBlob: null,
      intent: title,
      related: [],
      ...(options.given === undefined ? {} : { given: options.given }),
    };
    this.record(started);
  }

  get state(): RunState {
    if (this.#state === null) throw new Error("nothing has happened yet");
    return this.#state;
  }

  get now(): number {
    return this.#now;
  }

  /** Time passes without anything happening. */
  wait(milliseconds: number): this {
    this.#now += milliseconds;
    return this;
  }

  record(...facts: readonly Fact[]): this {
    for (const fact of facts) {
      const recorded: RecordedFact = { seq: this.facts.length + 1, at: this.#now, fact };
      this.facts.push(recorded);
      this.#state = fold(this.#state, recorded);
    }
    return this;
  }

  /** The next number of an issue or pull request. */
  nextNumber(): number {
    return this.#number++;
  }

  /** The id of the next comment, whoever writes it: ids grow with time. */
  nextComment(): number {
    return this.#comment++;
  }

  // beginning and plan

  intake(): this {
    return this.record({ kind: "IntegrationCreated", commit: fakeSha("intake"), intentBlob: fakeSha("intent") });
  }

  dispatch(subject: NewSubject, attempt: AttemptState["n"] | null = null): JobId {
    const next = deriveNextJob(this.state, subject);
    const runId = 5000 + this.facts.length;
    this.record({
      kind: "JobDispatched",
      effect: `job:${next.job}`,
      job: next.job,
      subject: next.subject,
      runId,
      url: `${URL}/actions/runs/${runId}`,
      attempt: null,
      attemptOf: attempt,
      purpose: derivePurpose(this.state, next.subject),
    });
    return next.job;
  }

  endJob(job: JobId, outcome: "done" | "unusable" | "external" | "lost" | "cancelled" = "done", cause = ""): this {
    return this.wait(2 * MINUTE).record({
      kind: "JobEnded",
      job,
      outcome,
      cause,
      usage: outcome === "done" ? USAGE : null,
      runId: null,
      url: null,
    });
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

  comment(key: string): this {
    const id = this.nextComment();
    return this.record({
      kind: "CommentPosted",
      effect: `comment:${key}`,
      key,
      id,
      url: `${URL}/issues/${this.state.run.issue}#issuecomment-${id}`,
    });
  }

  /** A person with write access comments. @returns the comment's id */
  command(name: CommandName | "unknown", args = "", by = "alice"): number {
    const comment = this.nextComment();
    this.record({ kind: "CommandReceived", comment, line: 0, on: this.state.run.issue, by, name, args });
    return comment;
  }

  approve(): this {
    this.command("approve");
    return this;
  }

  // chunks

  start(id: ChunkId): this {
    const entry = findRow(this.state.chunks, id);
    const { job, subject } = deriveNextJob(this.state, { role: "implement", chunk: id });
    const n = (entry?.attempts.length ?? 0) + 1;
    const runId = 5000 + this.facts.length;
    return this.record({
      kind: "JobDispatched",
      effect: `job:${job}`,
      job,
      subject,
      runId,
      url: `${URL}/actions/runs/${runId}`,
      attempt: {
        chunk: id,
        n,
        planRev: this.state.approved?.rev ?? 1,
        agent: entry?.agent ?? "default",
        model: "model-1",
        tier: "code",
        base: this.state.integration?.tip ?? fakeSha("fork"),
      },
      attemptOf: n,
      purpose: derivePurpose(this.state, subject),
    });
  }

  attemptOf(id: ChunkId): AttemptState {
    const attempt = findRow(this.state.chunks, id)?.attempts.at(-1);
    if (attempt === undefined) throw new Error(`${id} was never started`);
    return attempt;
  }

  receive(id: ChunkId, problems: readonly Violation[] = [], summary = `Wrote ${id}.`): this {
    const { job, n } = this.attemptOf(id);
    return this.endJob(job).record({
      kind: "ChangeSetReceived",
      job,
      chunk: id,
      attempt: n,
      document: `changes-${id}-${n}`,
      files: [
        { path: `src/${id}.js`, kind: "write" },
        { path: `test/${id}.test.js`, kind: "write" },
      ],
      problems,
      summary,
      context: null,
    });
  }

  commit(id: ChunkId): this {
    const { n } = this.attemptOf(id);
    this.record({
      kind: "ChangeSetCommitted",
      chunk: id,
      attempt: n,
      head: fakeSha(`${id}-${n}`),
      tree: fakeSha(`tree-${id}-${n}`),
    });
    const open = findRow(this.state.chunks, id)?.pulls.some((pull) => pull.settled === null) ?? false;
    if (open) return this;
    const number = this.nextNumber();
    return this.record({
      kind: "ChunkPullOpened",
      effect: `pull:${id}`,
      chunk: id,
      number,
      url: `${URL}/pull/${number}`,
    });
  }

  floor(id: ChunkId, result: FloorResult): this {
    const { n, head } = this.attemptOf(id);
    if (head === null) throw new Error(`${id} has no commit`);
    const job = this.dispatch({ role: "floor", subject: `chunk-${id}` }, n);
    this.endJob(job).record({
      kind: "FloorComputed",
      job,
      subject: { kind: "attempt", chunk: id, attempt: n },
      commit: head,
      result,
      document: `captures-${id}-${n}`,
    });
    return this.#publish(`${this.run}:floor:${id}:${n}`, job);
  }

  review(id: ChunkId, result: ReviewResult, ledger: readonly LedgerEntry[] = []): this {
    const { n, head } = this.attemptOf(id);
    if (head === null) throw new Error(`${id} has no commit`);
    const job = this.dispatch({ role: "review", chunk: id }, n);
    this.endJob(job).record({
      kind: "VerdictVerified",
      job,
      subject: { kind: "attempt", chunk: id, attempt: n },
      commit: head,
      result,
      chunks: [],
      ledger,
    });
    if (result.outcome === "void") return this;
    const pull = findRow(this.state.chunks, id)?.pulls.at(-1)?.number ?? 0;
    return this.#publish(`${this.run}:review:${id}:${n}`, job).record({
      kind: "ReviewPosted",
      effect: `review:${id}:${n}`,
      key: `${id}:${n}`,
      id: this.facts.length,
      url: `${URL}/pull/${pull}#pullrequestreview-${this.facts.length}`,
    });
  }

  land(...ids: readonly ChunkId[]): this {
    const label = ids.map((id) => `${id}-${this.attemptOf(id).n}`).join("+");
    this.record({
      kind: "ChunksLanded",
      chunks: ids,
      commit: fakeSha(`landing-${label}`),
      tree: fakeSha(`tree-${label}`),
      document: `captures-${label}`,
      via: ids.length === 1 ? "direct" : "candidate",
    });
    for (const id of ids) {
      const pull = findRow(this.state.chunks, id)?.pulls.at(-1);
      if (pull !== undefined) this.record({ kind: "PullSettled", number: pull.number, outcome: "merged" });
    }
    return this;
  }

  #publish(externalId: string, revision: string): this {
    const id = this.facts.length;
    return this.record({
      kind: "CheckPublished",
      effect: `check:${externalId}:${revision}`,
      externalId,
      id,
      url: `${URL}/runs/${id}`,
      revision,
    });
  }

  // the whole feature

  createAccept(): this {
    const n = this.state.accepts.length + 1;
    return this.record({
      kind: "AcceptCreated",
      n,
      source: fakeSha(`source-${n}`),
      tip: this.state.integration?.tip ?? fakeSha("fork"),
      commit: fakeSha(`accept-${n}`),
      tree: fakeSha(`accept-tree-${n}`),
      branch: `taskfleet/${this.run}/candidate/aaaaaaaaaaa${n}`,
    });
  }

  floorAccept(result: FloorResult): this {
    const accept = this.state.accepts.at(-1);
    if (accept === undefined) throw new Error("nothing to accept");
    const job = this.dispatch({ role: "floor", subject: `accept-${accept.n}` });
    return this.endJob(job).record({
      kind: "FloorComputed",
      job,
      subject: { kind: "accept", n: accept.n },
      commit: accept.commit,
      result,
      document: `captures-accept-${accept.n}`,
    });
  }

  reviewAccept(result: ReviewResult): this {
    const accept = this.state.accepts.at(-1);
    if (accept === undefined) throw new Error("nothing to accept");
    const job = this.dispatch({ role: "final-review" });
    return this.endJob(job).record({
      kind: "VerdictVerified",
      job,
      subject: { kind: "accept", n: accept.n },
      commit: accept.commit,
      result,
      chunks: [],
      ledger: [],
    });
  }

  commitAccept(): this {
    const n = this.state.accepts.length;
    return this.record({
      kind: "AcceptCommitted",
      n,
      commit: fakeSha(`accepted-${n}`),
      tree: fakeSha("accepted tree"),
    });
  }
}
