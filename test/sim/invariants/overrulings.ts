/**
 * What people have overruled, booked from what they wrote, where, and what had failed there by then: a gate of
 * one attempt of one chunk, of one acceptance, or the review of a plan. Nothing else is excused by it.
 */
import type { Sha } from "../../../src/contracts/ids.ts";
import type { FloorResult } from "../../../src/contracts/floor-result.ts";
import type { Fact } from "../../../src/engine/fact.ts";

/** As people write them; a number stands for the gate that has it. */
const GATES = [
  "commands",
  "checks",
  "no regression",
  "no new lint",
  "no gaming",
  "enumeration",
  "scope",
  "requires tests",
  "coverage",
  "ci",
  "review",
  "plan",
] as const;
type Gate = (typeof GATES)[number] | "requested changes";

/** What is not green in a tree is found by one of these. */
const GREEN: readonly Gate[] = ["commands", "checks", "no regression", "no new lint", "no gaming"];

interface Subject {
  /** What failed and was not overruled. */
  readonly standing: Set<string>;
  readonly overruled: Set<string>;
  /** Writers whose request for changes people have set aside. */
  readonly ignored: Set<string>;
}

export class Overrulings {
  readonly #attempts = new Map<string, Subject>();
  readonly #accepts = new Map<number, Subject>();
  /** The newest attempt of a chunk, the chunk of a pull request, and the attempt a commit is of. */
  readonly #newest = new Map<string, number>();
  readonly #pulls = new Map<number, string>();
  readonly #heads = new Map<Sha, string>();
  readonly #candidates = new Map<string, readonly string[]>();
  readonly #requests = new Map<number, readonly string[]>();
  #accept = 0;
  #stale = false;
  #feature = 0;
  #draftStands = false;
  #over = false;
  /** The newest draft is committed whatever its reviewers say. */
  plan = false;

  isOverruled(head: Sha, gate: Gate): boolean {
    return this.#attempts.get(this.#heads.get(head) ?? "")?.overruled.has(gate) === true;
  }

  /** Of the newest attempt. */
  isChunkOverruled(chunk: string, gate: Gate): boolean {
    return this.#of(chunk).overruled.has(gate);
  }

  isFeatureOverruled(gate: Gate): boolean {
    return this.#accepts.get(this.#accept)?.overruled.has(gate) === true;
  }

  /** Of the newest attempt. */
  hasFailed(chunk: string): boolean {
    return this.#of(chunk).standing.size > 0;
  }

  /** Whether people know that what these commits bring together does not pass everything. */
  mayBeRed(heads: readonly Sha[]): boolean {
    return GREEN.some((gate) => this.isFeatureOverruled(gate) || heads.some((head) => this.isOverruled(head, gate)));
  }

  /** Writers who request changes of what is about to land from this pull request, as far as that counts. */
  listRequests(pull: number): readonly string[] {
    const chunk = this.#pulls.get(pull);
    const subject = chunk === undefined ? this.#accepts.get(this.#accept) : this.#of(chunk);
    return (this.#requests.get(pull) ?? []).filter((login) => subject?.ignored.has(login) !== true);
  }

  book(fact: Fact): void {
    switch (fact.kind) {
      case "JobDispatched":
        if (fact.attempt !== null) this.#newest.set(fact.attempt.chunk, fact.attempt.n);
        return;
      case "PersonPushed":
        this.#newest.set(fact.chunk, fact.attempt);
        this.#heads.set(fact.head, `${fact.chunk}/${fact.attempt}`);
        return;
      case "ChangeSetCommitted":
        this.#heads.set(fact.head, `${fact.chunk}/${fact.attempt}`);
        return;
      case "ChunkPullOpened":
        this.#pulls.set(fact.number, fact.chunk);
        return;
      case "FeaturePullOpened":
        this.#feature = fact.number;
        return;
      case "CandidateCreated":
        this.#candidates.set(fact.hash, fact.chunks);
        return;
      case "ReviewsObserved":
        this.#requests.set(fact.pull, fact.blockers);
        return;
      case "FloorComputed":
        this.#bookFloor(fact);
        return;
      case "VerdictVerified":
        if (fact.result.outcome !== "fail") return;
        if (fact.subject.kind === "attempt") this.#of(fact.subject.chunk, fact.subject.attempt).standing.add("review");
        else this.#ofAccept(fact.subject.n).standing.add("review");
        return;
      case "AcceptCreated":
        this.#accept = fact.n;
        this.#stale = false;
        return;
      case "AcceptCommitted":
        this.#ofAccept(fact.n).standing.add("ci");
        return;
      case "CiGathered":
        if (fact.state === "pass") this.#ofAccept(fact.n).standing.delete("ci");
        return;
      case "SourceMoved":
        this.#stale = true;
        return;
      case "DraftReceived":
        this.#draftStands = true;
        return;
      case "DraftRefused":
        this.#draftStands = false;
        return;
      case "FixRequested":
        this.#replan();
        return;
      case "PlanCommitted":
        this.#draftStands = false;
        return;
      case "FeatureMerged":
      case "RunCancelled":
        this.#over = true;
        return;
      case "CommandReceived":
        if (this.#over) return;
        if (fact.name === "cancel") this.#over = true;
        if (fact.name === "replan") this.#replan();
        if (fact.name === "override") this.#override(fact);
        return;
      default:
    }
  }

  #replan(): void {
    this.#draftStands = false;
    this.plan = false;
  }

  #bookFloor({ subject, result }: Extract<Fact, { kind: "FloorComputed" }>): void {
    if (result.toolchainChanged !== undefined) return;
    switch (subject.kind) {
      case "attempt":
        setFailing(this.#of(subject.chunk, subject.attempt), result);
        return;
      case "candidate": {
        const [only, ...others] = this.#candidates.get(subject.hash) ?? [];
        if (only !== undefined && others.length === 0) setFailing(this.#of(only), result);
        return;
      }
      case "accept":
        setFailing(this.#ofAccept(subject.n), result);
    }
  }

  #override(fact: Extract<Fact, { kind: "CommandReceived" }>): void {
    const words = fact.args.trim().toLowerCase().replaceAll("-", " ").split(/\s+/u).join(" ");
    const number = /^([0-9]) /u.exec(words)?.[1];
    const gate = number === undefined ? GATES.find((name) => words.startsWith(`${name} `)) : GATES[Number(number)];
    if (gate === undefined) return;
    if (gate === "plan") {
      this.plan ||= this.#draftStands;
      return;
    }
    const chunk = this.#pulls.get(fact.on);
    if (chunk === undefined && (this.#accept === 0 || this.#stale)) return;
    const subject = chunk === undefined ? this.#ofAccept(this.#accept) : this.#of(chunk);
    if (subject.standing.delete(gate)) subject.overruled.add(gate);
    if (gate !== "review") return;
    const pull = chunk === undefined ? this.#feature : Math.max(...this.#listPulls(chunk));
    for (const login of this.#requests.get(pull) ?? []) subject.ignored.add(login);
  }

  #listPulls(chunk: string): readonly number[] {
    return [...this.#pulls].flatMap(([number, other]) => (other === chunk ? [number] : []));
  }

  #of(chunk: string, attempt: number = this.#newest.get(chunk) ?? 0): Subject {
    return ensure(this.#attempts, `${chunk}/${attempt}`);
  }

  #ofAccept(n: number): Subject {
    return ensure(this.#accepts, n);
  }
}

function ensure<Key>(subjects: Map<Key, Subject>, key: Key): Subject {
  const known = subjects.get(key) ?? { standing: new Set(), overruled: new Set(), ignored: new Set() };
  subjects.set(key, known);
  return known;
}

/** What was overruled and fails again has found something else: it stands if nothing else does. */
function setFailing({ standing, overruled }: Subject, result: FloorResult): void {
  const numbers = [
    ...result.gates.flatMap(({ gate, outcome }) => (outcome === "fail" ? [gate] : [])),
    ...result.violations.map(({ gate }) => gate),
  ];
  const failed = numbers.map((number) => GATES[number]);
  const open = failed.filter((gate) => !overruled.has(gate));
  for (const gate of open.length > 0 ? open : failed) standing.add(gate);
}
