/** One run under work: its state, its repository, and the recording of facts. */
import type { RunState } from "../engine/state.ts";
import type { Fact, RecordedFact } from "../engine/fact.ts";
import { formatFactKey } from "../engine/fact-key.ts";
import { fold, foldAll } from "../engine/fold.ts";
import type { RepositoryPort } from "../github/port.ts";
import type { NewFact, RunAddress, RunRecord, StoredFact } from "../store/port.ts";
import { StoreFailure } from "../store/store-failure.ts";
import type { Fleet } from "./context.ts";
import { TakenOver } from "./taken-over.ts";

/** A snapshot saves folding the whole run again; the facts stay the truth. */
const SNAPSHOT_EVERY = 40;

/** Raised whenever the shape of the state changes. */
const SNAPSHOT_FORMAT = 6;

interface Snapshot {
  readonly format: number;
  readonly state: RunState;
}

/**
 * What may happen again and again, also in the very same way: each time is a happening of its own. A text
 * or a branch may come back to what it once was; recorded only once, the engine would never learn of it.
 */
const RECURRENT: ReadonlySet<Fact["kind"]> = new Set([
  "EffectStarted",
  "EffectFailed",
  "EffectEnded",
  "FeaturePullUpdated",
  "CheckPublished",
  "TipMoved",
  "BranchDeleted",
  "FeaturePullOpened",
  "FeatureReady",
  // People close and reopen.
  "ChunkPullOpened",
  "PullSettled",
  "PullClosed",
  // Whoever runs a failed check again may see it fail in the same way.
  "CiGathered",
  "TakePrepared",
]);

export interface KnownState {
  readonly state: RunState | null;
  /** Up to which fact the store has a snapshot. */
  readonly snapshotSeq: number;
}

async function loadSnapshot(fleet: Fleet, address: RunAddress): Promise<KnownState> {
  const snapshot = await fleet.store.loadSnapshot(address);
  if (snapshot === null) return { state: null, snapshotSeq: 0 };
  const { format, state } = JSON.parse(snapshot.state) as Partial<Snapshot>;
  // Written by another version of the App: the facts are folded again.
  if (format !== SNAPSHOT_FORMAT || state === undefined) return { state: null, snapshotSeq: 0 };
  return { state, snapshotSeq: snapshot.seq };
}

export function formatSnapshot(state: RunState): string {
  const snapshot: Snapshot = { format: SNAPSHOT_FORMAT, state };
  return JSON.stringify(snapshot);
}

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

  /**
   * null when the run is unknown or has no facts.
   * @param known the state a former session of this process ended with: only newer facts are read then.
   */
  static async load(fleet: Fleet, address: RunAddress, known: KnownState | null = null): Promise<RunSession | null> {
    const record = await fleet.store.loadRun(address);
    if (record === null) return null;
    const { state: from, snapshotSeq } = known ?? (await loadSnapshot(fleet, address));
    const facts = await fleet.store.loadFacts(address, from?.seq ?? 0);
    const state = foldAll(facts.map(readFact), from);
    return state === null ? null : new RunSession(fleet, record, state, snapshotSeq);
  }

  /** What a later session of this process may begin with. */
  get known(): KnownState {
    return { state: this.#state, snapshotSeq: this.#snapshotSeq };
  }

  get state(): RunState {
    return this.#state;
  }

  get address(): RunAddress {
    return { repositoryId: this.record.repositoryId, runKey: this.record.runKey };
  }

  /**
   * Records what happened; what is known already is ignored. @returns how many facts were new.
   * @throws TakenOver when somebody else has recorded something meanwhile: what was looked at or decided here may not
   * be so any more, and is looked at and decided again by whoever goes on.
   */
  async append(facts: readonly Fact[]): Promise<number> {
    if (facts.length === 0) return 0;
    const at = this.fleet.clock.now();
    const fresh = facts.map((fact, index) => ({ key: this.#formatKey(fact, index), at, fact: JSON.stringify(fact) }));
    const stored = await this.#appendAfter(fresh, this.#state.seq);
    for (const entry of stored) {
      const recorded = readFact(entry);
      this.#state = fold(this.#state, recorded);
      this.fleet.meter?.fact(recorded.fact);
    }
    return stored.length;
  }

  async #appendAfter(facts: readonly NewFact[], seq: number): Promise<readonly StoredFact[]> {
    try {
      return await this.fleet.store.appendFacts(this.address, facts, seq);
    } catch (error) {
      if (error instanceof StoreFailure && error.kind === "moved") throw new TakenOver({ cause: error });
      throw error;
    }
  }

  async saveSnapshot(): Promise<void> {
    if (this.#state.seq - this.#snapshotSeq < SNAPSHOT_EVERY) return;
    await this.fleet.store.putSnapshot(this.address, this.#state.seq, formatSnapshot(this.#state));
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
