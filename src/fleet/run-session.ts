/** One run under work: its state, its repository, and the recording of facts. */
import type { RunState } from "../engine/state.ts";
import type { Fact, RecordedFact } from "../engine/fact.ts";
import { formatFactKey } from "../engine/fact-key.ts";
import { fold, foldAll } from "../engine/fold.ts";
import type { RepositoryPort } from "../github/port.ts";
import type { RunAddress, RunRecord, StoredFact } from "../store/port.ts";
import type { Fleet } from "./context.ts";

/** A snapshot saves folding the whole run again; the facts stay the truth. */
const SNAPSHOT_EVERY = 40;

/**
 * What may happen again and again, also in the very same way: each time is a happening of its own. A text
 * or a branch may come back to what it once was; recorded only once, the engine would never learn of it.
 */
const RECURRENT: ReadonlySet<Fact["kind"]> = new Set([
  "EffectStarted",
  "EffectFailed",
  "FeaturePullUpdated",
  "CheckPublished",
  "TipMoved",
  "BranchDeleted",
  "FeaturePullOpened",
  "FeatureReady",
]);

export class RunSession {
  readonly fleet: Fleet;
  readonly record: RunRecord;
  readonly repository: RepositoryPort;
  #state: RunState;
  #snapshotSeq: number;

  private constructor(fleet: Fleet, record: RunRecord, state: RunState, snapshotSeq: number) {
    this.fleet = fleet;
    this.record = record;
    this.#state = state;
    this.#snapshotSeq = snapshotSeq;
    const repository = fleet.github.repository({
      id: record.repositoryId,
      owner: record.owner,
      name: record.name,
      installationId: record.installationId,
    });
    this.repository = fleet.reads.wrap(repository);
  }

  /** null when the run is unknown or has no facts. */
  static async load(fleet: Fleet, address: RunAddress): Promise<RunSession | null> {
    const record = await fleet.store.loadRun(address);
    if (record === null) return null;
    const snapshot = await fleet.store.loadSnapshot(address);
    const facts = await fleet.store.loadFacts(address, snapshot?.seq ?? 0);
    const from = snapshot === null ? null : (JSON.parse(snapshot.state) as RunState);
    const state = foldAll(facts.map(readFact), from);
    return state === null ? null : new RunSession(fleet, record, state, snapshot?.seq ?? 0);
  }

  get state(): RunState {
    return this.#state;
  }

  get address(): RunAddress {
    return { repositoryId: this.record.repositoryId, runKey: this.record.runKey };
  }

  /** Records what happened; what is known already is ignored. @returns how many facts were new. */
  async append(facts: readonly Fact[]): Promise<number> {
    if (facts.length === 0) return 0;
    const at = this.fleet.clock.now();
    const stored = await this.fleet.store.appendFacts(
      this.address,
      facts.map((fact, index) => ({ key: this.#formatKey(fact, index), at, fact: JSON.stringify(fact) })),
    );
    for (const entry of stored) {
      const recorded = readFact(entry);
      this.#state = fold(this.#state, recorded);
      this.fleet.meter?.fact(recorded.fact);
    }
    return stored.length;
  }

  async saveSnapshot(): Promise<void> {
    if (this.#state.seq - this.#snapshotSeq < SNAPSHOT_EVERY) return;
    await this.fleet.store.putSnapshot(this.address, this.#state.seq, JSON.stringify(this.#state));
    this.#snapshotSeq = this.#state.seq;
  }

  #formatKey(fact: Fact, index: number): string {
    const key = formatFactKey(fact);
    return RECURRENT.has(fact.kind) ? `${key}:${this.#state.seq + index + 1}` : key;
  }
}

export function readFact(stored: StoredFact): RecordedFact {
  return { seq: stored.seq, at: stored.at, fact: JSON.parse(stored.fact) as Fact };
}
