/** Watches GitHub and the facts, never the engine's opinion, and says what is wrong. */
import type { Fact, RecordedFact } from "../../../src/engine/fact.ts";
import type { RunAddress, Store } from "../../../src/store/port.ts";
import type { Laboratory } from "../agents/captures.ts";
import type { GitHubModel } from "../model/github-model.ts";
import { APP } from "../model/identities.ts";
import type { Happening } from "../model/happening.ts";
import type { Scenario } from "../scenario.ts";
import { watchAnswers } from "./answers.ts";
import { watchAuthority } from "./authority.ts";
import { watchCi } from "./ci.ts";
import { watchDoubles } from "./doubles.ts";
import { judgeEnd } from "./end.ts";
import { findForgotten, watchPushes } from "./asked-again.ts";
import { findWrongHold } from "./hold.ts";
import type { Invariant, Watch } from "./invariant.ts";
import { watchLandings } from "./landing.ts";
import { Ledger } from "./ledger.ts";
import { watchOutages } from "./outages.ts";
import { watchPlan, watchSchedule } from "./plan-and-schedule.ts";
import { watchTip } from "./tip.ts";
import { watchRefusals, watchRequests } from "./words-and-deeds.ts";
import { watchWorkforce } from "./workforce.ts";
import { watchWorkflows } from "./workflows.ts";
import { watchCheckpoints, watchFloorRequests } from "./revised-work.ts";
import { tellFact, tellHappening } from "./tell.ts";

export interface Finding {
  readonly invariant: string;
  readonly what: string;
  /** Milliseconds since the epoch, virtual. */
  readonly at: number;
}

/** Facts that say only what is shown: they are no progress. */
const SILENT: ReadonlySet<Fact["kind"]> = new Set([
  "StatusUpdated",
  "FeaturePullUpdated",
  "EffectStarted",
  "EffectFailed",
  "CheckPublished",
]);

export class Observer {
  readonly findings: Finding[] = [];
  readonly factCounts = new Map<string, number>();
  readonly actionCounts = new Map<string, number>();
  /** Of the newest run. */
  facts: RecordedFact[] = [];
  lastActivity: number;
  readonly #model: GitHubModel;
  readonly #watch: Watch;
  readonly #invariants: readonly Invariant[];
  /** The store is gone: what is read back from GitHub begins again. */
  #lost = false;
  /** When the run reported its end. */
  #lastWordAt: number | null = null;
  readonly #story: Array<{ readonly at: number; readonly words: string }> = [];

  constructor(model: GitHubModel, laboratory: Laboratory, scenario: Scenario) {
    this.#model = model;
    this.lastActivity = model.time.now();
    this.#watch = {
      model,
      laboratory,
      scenario,
      ledger: new Ledger(),
      violated: (invariant, what) => this.#report(invariant, what),
    };
    this.#invariants = [
      watchLandings,
      watchPlan,
      watchSchedule,
      watchTip,
      watchAnswers,
      watchDoubles,
      watchAuthority,
      watchWorkflows,
      watchOutages,
      watchWorkforce,
      watchRefusals,
      watchRequests,
      watchCi,
      watchFloorRequests,
      watchCheckpoints,
      watchPushes,
    ].map((build) => build(this.#watch));
  }

  get ended(): string | null {
    return this.#watch.ledger.ended;
  }

  record(_address: RunAddress, recorded: RecordedFact): void {
    const { fact } = recorded;
    if (fact.kind === "RunStarted") this.#beginBook();
    if (recorded.seq !== this.facts.length + 1)
      this.#report("store", `fact ${recorded.seq} follows fact ${this.facts.length}`);
    this.facts.push(recorded);
    this.factCounts.set(fact.kind, (this.factCounts.get(fact.kind) ?? 0) + 1);
    if (!SILENT.has(fact.kind)) this.lastActivity = this.#model.time.now();
    if (fact.kind === "CommentPosted" && (fact.key === "report" || fact.key === "direct-answer"))
      this.#lastWordAt = this.#model.comments.get(fact.id)?.createdAt ?? recorded.at;
    const words = tellFact(fact);
    if (words !== null) this.#story.push({ at: recorded.at, words });
    for (const invariant of this.#invariants) invariant.onFact?.(recorded);
    this.#watch.ledger.book(fact, recorded.at);
  }

  /** Whoever looks after the App has lost its database. */
  lose(words: string): void {
    this.#lost = true;
    this.lastActivity = this.#model.time.now();
    this.#story.push({ at: this.#model.time.now(), words });
  }

  /** A closed run may be followed by another one; two runs of one issue at once are a bug. */
  #beginBook(): void {
    if (this.facts.length > 0 && !this.#lost && this.ended === null)
      this.#report("I9", "a second run began while the first one goes on");
    else if (this.#lastWordAt !== null && !this.#lost && !this.#isLabeledSince(this.#lastWordAt))
      this.#report("I7", "another run began although nobody has set the label since the last one's end");
    this.#lastWordAt = null;
    this.#lost = false;
    this.facts = [];
    this.#watch.ledger = new Ledger();
  }

  #isLabeledSince(at: number): boolean {
    return [...this.#model.issues.values()].some((issue) =>
      issue.labelings.some((labeling) => labeling.at >= at - 1_000),
    );
  }

  happened(happening: Happening): void {
    if (isByPeople(happening)) this.lastActivity = this.#model.time.now();
    const words = tellHappening(happening);
    if (words !== null) this.#story.push({ at: happening.at, words });
    for (const invariant of this.#invariants) invariant.onHappening?.(happening);
  }

  acted(kind: string): void {
    this.actionCounts.set(kind, (this.actionCounts.get(kind) ?? 0) + 1);
  }

  /** The shell met something that is no failure of GitHub: a bug of ours. */
  reportBug(error: unknown, message: string): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error);
    this.#report("bug", `${message}: ${text.split("\n").slice(0, 4).join(" | ").slice(0, 600)}`);
  }

  judgeEnd(store: Store, issue: number): Promise<string | null> {
    const { facts } = this;
    const { ledger } = this.#watch;
    const wrong = findWrongHold(this.#model, facts, ledger) ?? findForgotten(this.#model, facts, ledger);
    if (wrong !== null) return Promise.resolve(wrong);
    return judgeEnd({ model: this.#model, store, issue, facts, ledger });
  }

  outcomes(): Readonly<Record<string, string>> {
    const outcomes: Record<string, string> = {};
    for (const book of this.#watch.ledger.chunks.values())
      outcomes[book.id] = book.landed ? "landed" : book.skipped ? "skipped" : "open";
    return outcomes;
  }

  /** What happened, in words, with the hours since the beginning. */
  story(start: number): readonly string[] {
    return this.#story.map(({ at, words }) => `${((at - start) / 3_600_000).toFixed(2)} h  ${words}`);
  }

  #report(invariant: string, what: string): void {
    this.findings.push({ invariant, what, at: this.#model.time.now() });
    this.#story.push({ at: this.#model.time.now(), words: `*** ${invariant}: ${what}` });
  }
}

function isByPeople(happening: Happening): boolean {
  switch (happening.kind) {
    case "ref":
    case "merge":
      return happening.by.login !== APP.login;
    case "comment":
      return happening.comment.author.login !== APP.login;
    default:
      return false;
  }
}
