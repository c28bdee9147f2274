/**
 * What happened, booked from the facts and from GitHub alone. Deliberately another way of counting than the
 * engine's: where the two disagree, one of them is wrong.
 */
import type { Config } from "../../../src/contracts/config.ts";
import type { Sha } from "../../../src/contracts/ids.ts";
import { type JobRequest, jobRequestSchema, type Usage } from "../../../src/contracts/job.ts";
import { formatBranch } from "../../../src/contracts/names.ts";
import { parseSaying } from "../../../src/contracts/saying.ts";
import type { Chunk, Plan } from "../../../src/contracts/plan.ts";
import type { RunKey } from "../../../src/contracts/ids.ts";
import type { Fact } from "../../../src/engine/fact.ts";
import type { ModelRun } from "../model/things.ts";
import { type ChunkBook, fail, openChunkBook, resetTries, weighLoss } from "./chunk-book.ts";
import { Overrulings } from "./overrulings.ts";

export class Ledger {
  run: RunKey | null = null;
  config: Config | null = null;
  source = "main";
  fork: Sha | null = null;
  readonly revisions = new Map<number, { readonly plan: Plan; readonly hash: string }>();
  approvedRev = 0;
  /** A new revision is being written. */
  planning = true;
  /** What holds the run: each kind goes on beside the others. */
  readonly pauses = new Set<"person" | "edited" | "feature-closed" | "rebuilt" | "toolchain">();
  cancelled = false;
  merged = false;
  readonly overrulings = new Overrulings();
  readonly chunks = new Map<string, ChunkBook>();
  readonly openImplements = new Set<string>();
  /** When a chunk was begun last, by an agent or a person. */
  readonly lastStarts = new Map<string, number>();
  agentRuns = 0;
  /** What agents told they have used, and how many of them may have used what was reserved. */
  tokens = 0;
  readonly reserved = new Set<string>();
  usd = 0;
  readonly reservedUsd = new Set<string>();
  unconfigured: readonly string[] = [];
  /** The runners' toolchain changed; how often. */
  renewing = false;
  renewals = 0;
  givenByStranger = false;
  readonly approvalComments = new Map<number, number>();
  readonly jobs = new Map<string, JobRequest>();
  ended: string | null = null;

  get paused(): boolean {
    return this.pauses.size > 0;
  }

  get integration(): string | null {
    return this.run === null ? null : formatBranch({ kind: "integration", run: this.run });
  }

  get approvedPlan(): Plan | null {
    return this.revisions.get(this.approvedRev)?.plan ?? null;
  }

  chunk(id: string): ChunkBook {
    let book = this.chunks.get(id);
    if (book === undefined) {
      book = openChunkBook(id);
      this.chunks.set(id, book);
    }
    return book;
  }

  definition(id: string): Chunk | null {
    return this.approvedPlan?.chunks.find((chunk) => chunk.id === id) ?? null;
  }

  request(run: ModelRun): JobRequest {
    let request = this.jobs.get(run.title);
    if (request === undefined) {
      request = jobRequestSchema.parse(JSON.parse(run.inputs["request"] ?? "null"));
      this.jobs.set(run.title, request);
    }
    return request;
  }

  /** Books a fact; invariants look before and after. */
  book(fact: Fact, at: number): void {
    if (fact.kind === "JobDispatched" && fact.attempt !== null) this.lastStarts.set(fact.attempt.chunk, at);
    if (fact.kind === "PersonPushed") this.lastStarts.set(fact.chunk, at);
    this.overrulings.book(fact);
    this.#book(fact);
  }

  #book(fact: Fact): void {
    switch (fact.kind) {
      case "RunStarted":
        this.run = fact.run;
        this.config = fact.config;
        this.source = fact.source;
        this.fork = fact.fork;
        this.givenByStranger = fact.given?.writer === false;
        return;
      case "BaselineBound":
        this.unconfigured = fact.unconfigured;
        return;
      case "RunRebuilt":
        this.pauses.add("rebuilt");
        return;
      case "FeaturePullOpened":
        this.#feature = fact.number;
        return;
      case "PullClosed":
        this.#closed.add(fact.number);
        return;
      case "FeatureMerged":
        this.merged = true;
        return;
      case "PlanCommitted":
        this.revisions.set(fact.rev, { plan: fact.plan, hash: fact.hash });
        this.planning = false;
        this.renewing = false;
        // Only the baseline was captured again: what was approved is what is built.
        if (this.renewals > 0 && this.revisions.get(this.approvedRev)?.hash === fact.hash) this.approvedRev = fact.rev;
        return;
      case "PlanApproved":
        this.#approve(fact.rev);
        return;
      case "CommentPosted":
        if (fact.key.startsWith("approval:"))
          this.approvalComments.set(Number(fact.key.slice("approval:".length)), fact.id);
        return;
      case "FixRequested":
        this.planning = true;
        return;
      case "CommandReceived":
        this.#command(fact);
        return;
      case "IntentEdited":
        if (fact.writer) this.pauses.add("edited");
        return;
      case "RunCancelled":
        this.cancelled = true;
        return;
      case "RunEnded":
        this.ended = fact.outcome;
        return;
      case "PullSettled":
        // A person closed or merged it by hand: what that means is the engine's to say.
        for (const book of this.chunks.values()) if (!book.landed) book.personal = true;
        this.#settle(this.#pulls.get(fact.number), fact.outcome);
        if (
          fact.number === this.#feature &&
          fact.outcome === "closed" &&
          !this.#closed.has(fact.number) &&
          !this.isOver
        )
          this.pauses.add("feature-closed");
        return;
      default:
        this.#bookWork(fact);
    }
  }

  #bookWork(fact: Fact): void {
    switch (fact.kind) {
      case "JobDispatched": {
        const { role } = fact.subject;
        this.#attemptOf.set(fact.job, fact.attempt?.n ?? fact.attemptOf);
        if (role !== "baseline" && role !== "floor") {
          this.agentRuns += 1;
          this.reserved.add(fact.job);
          this.reservedUsd.add(fact.job);
        }
        if (fact.attempt === null) return;
        const book = this.chunk(fact.attempt.chunk);
        book.work = "alive";
        // A revision that changes what has landed, or what it builds on, has it built again.
        book.landed = false;
        book.attempts = fact.attempt.n;
        book.failed = null;
        book.voids = 0;
        book.lost = 0;
        this.openImplements.add(fact.job);
        return;
      }
      case "JobEnded":
        this.openImplements.delete(fact.job);
        this.#bookEnd(fact);
        return;
      case "ChangeSetReceived": {
        if (fact.problems.length === 0) return;
        const book = this.chunk(fact.chunk);
        if (book.attempts === fact.attempt && book.work === "alive") fail(book, "floorFails");
        return;
      }
      case "ChunkPullOpened":
        this.#pulls.set(fact.number, fact.chunk);
        return;
      case "PersonPushed": {
        const book = this.chunk(fact.chunk);
        book.attempts = fact.attempt;
        book.failed = null;
        book.voids = 0;
        book.lost = 0;
        book.outages = 0;
        book.work = fact.problems.length > 0 ? "dead" : "unknown";
        book.personal = true;
        return;
      }
      case "FloorComputed":
        if (fact.result.toolchainChanged !== undefined) {
          // Nobody's try; a second change is a person's business.
          if (!this.renewing) this.renewals += 1;
          this.renewing = true;
          if (this.renewals > 1) this.pauses.add("toolchain");
          return;
        }
        if (fact.subject.kind === "attempt" && fact.result.outcome === "fail") {
          const book = this.chunk(fact.subject.chunk);
          if (book.attempts === fact.subject.attempt && book.work !== "dead") fail(book, "floorFails");
        }
        if (fact.subject.kind === "candidate" && fact.result.outcome === "fail")
          this.#candidateFailed(fact.subject.hash);
        return;
      case "VerdictVerified":
        if (fact.subject.kind === "attempt") {
          const book = this.chunk(fact.subject.chunk);
          if (book.attempts !== fact.subject.attempt || book.work === "dead") return;
          if (fact.result.outcome === "void") book.voids += 1;
          if (fact.result.outcome === "fail") fail(book, "reviewFails");
        }
        return;
      case "CandidateCreated":
        this.#candidates.set(fact.hash, fact.chunks);
        return;
      case "ChunkConflicted":
        this.chunk(fact.chunk).work = "dead";
        return;
      case "ChunksLanded":
        for (const id of fact.chunks) {
          const book = this.chunk(id);
          book.landed = true;
          book.work = "dead";
        }
        return;
      default:
    }
  }

  #settle(chunk: string | undefined, outcome: "merged" | "closed"): void {
    if (chunk === undefined) return;
    // Read back from GitHub, one that was merged may have no attempt that anybody remembers.
    const book = outcome === "merged" ? this.chunk(chunk) : this.chunks.get(chunk);
    if (book === undefined || book.landed) return;
    book.work = "dead";
    book.landed = outcome === "merged";
  }

  /** Nothing that is commanded is done any more. */
  get isOver(): boolean {
    return this.cancelled || this.merged || this.ended !== null;
  }

  #feature = 0;
  /** Pull requests the App closed itself. */
  readonly #closed = new Set<number>();
  /** Of jobs that belong to one. */
  readonly #attemptOf = new Map<string, number | null>();
  readonly #pulls = new Map<number, string>();
  readonly #candidates = new Map<string, readonly string[]>();

  #candidateFailed(hash: string): void {
    const [only, ...others] = this.#candidates.get(hash) ?? [];
    if (only === undefined || others.length > 0) return;
    fail(this.chunk(only), "integrationFails");
  }

  /** An agent that tells nothing may have used all it was given; a provider that refused served nothing. */
  #bookUsage({ job, outcome, usage, remedy }: Extract<Fact, { kind: "JobEnded" }>): void {
    this.#bookMoney(job, outcome, usage);
    if (!this.reserved.has(job)) return;
    // That it is back later is all it said.
    if (usage === null && outcome === "external" && remedy?.kind === "wait") this.agentRuns -= 1;
    const told = usage !== null && usage.inputTokens !== null && usage.outputTokens !== null;
    this.tokens += (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
    if (told || (usage === null && outcome === "external")) this.reserved.delete(job);
  }

  #bookMoney(job: string, outcome: string, usage: Usage | null): void {
    if (!this.reservedUsd.has(job)) return;
    const told = usage !== null && usage.usd !== null;
    this.usd += usage?.usd ?? 0;
    if (told || (usage === null && outcome === "external")) this.reservedUsd.delete(job);
  }

  #bookEnd(fact: Extract<Fact, { kind: "JobEnded" }>): void {
    this.#bookUsage(fact);
    const match = /^[^/]+\/(implement|floor|review):(?:chunk-)?([^/]+)\//u.exec(fact.job);
    const id = match?.[2];
    if (id === undefined) return;
    const book = this.chunks.get(id);
    if (book === undefined || fact.outcome === "cancelled") return;
    // What an earlier attempt's jobs come to says nothing of the newest one.
    if (book.work === "dead" || this.#attemptOf.get(fact.job) !== book.attempts) return;
    if (match?.[1] === "implement") {
      book.outages = fact.outcome === "done" || fact.outcome === "unusable" ? 0 : book.outages + weighLoss(fact);
      if (fact.outcome === "unusable") book.unusable += 1;
      if (fact.outcome !== "done" && book.work === "alive") book.work = "dead";
    } else if (fact.outcome !== "done") {
      if (match?.[1] === "review" && fact.outcome === "unusable") book.voids += 1;
      else book.lost += weighLoss(fact);
    }
  }

  #approve(rev: number): void {
    if (rev <= this.approvedRev) return;
    const first = this.approvedRev === 0;
    this.approvedRev = rev;
    if (first) return;
    // What a revision means for work under way is the engine's business: counted afresh, judged mildly.
    for (const book of this.chunks.values()) {
      resetTries(book);
      book.revised = true;
      // Changed criteria may have what failed judged once more.
      if (!book.landed && book.work !== "none") book.work = "unknown";
      if (this.definition(book.id) !== null) continue;
      book.skipped = true;
    }
  }

  #command(fact: Extract<Fact, { kind: "CommandReceived" }>): void {
    if (this.isOver) return;
    const [first = ""] = fact.args.trim().split(/\s+/u);
    switch (fact.name) {
      case "pause":
        this.pauses.add("person");
        return;
      case "resume":
        this.pauses.clear();
        return;
      case "cancel":
        this.cancelled = true;
        return;
      case "replan":
        this.planning = true;
        // It is what an edit of the issue asks for, and holds the run itself.
        this.pauses.delete("edited");
        this.pauses.delete("person");
        return;
      case "approve": {
        const rev = Math.max(0, ...this.revisions.keys());
        const shown = this.approvalComments.get(rev);
        const hash = this.revisions.get(rev)?.hash ?? "";
        const inReview = parseSaying(fact.comment).kind === "review";
        const seen = (shown !== undefined && !inReview && fact.comment > shown) || first.length >= 7;
        if (!this.planning && seen && hash.startsWith(first.toLowerCase())) this.#approve(rev);
        return;
      }
      case "override": {
        const book = this.chunks.get(this.#pulls.get(fact.on) ?? "");
        if (book === undefined || book.failed === null || book.landed || this.overrulings.hasFailed(book.id)) return;
        book[book.failed] = Math.max(0, book[book.failed] - 1);
        book.failed = null;
        book.work = "unknown";
        return;
      }
      case "retry":
      case "assign":
      case "take":
      case "skip": {
        // Also one that nothing was heard of yet: it is in the plan, and a person may drop it before it begins.
        const book = this.definition(first) !== null ? this.chunk(first) : this.chunks.get(first);
        if (book === undefined || book.landed) return;
        resetTries(book);
        book.personal = true;
        book.taken = fact.name === "take";
        book.skipped = fact.name === "skip";
        if (book.work === "alive") book.work = fact.name === "skip" || fact.name === "take" ? "dead" : "unknown";
        return;
      }
      default:
    }
  }
}
