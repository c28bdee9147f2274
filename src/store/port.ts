/** What the shell keeps between two moments: the inbox, the runs with their facts, and what is due. */
import type { RunKey } from "../contracts/ids.ts";

/** A verified webhook delivery, stored before it is acknowledged. */
export interface Delivery {
  /** X-GitHub-Delivery; unique per App, the same on a redelivery. */
  readonly guid: string;
  readonly event: string;
  readonly payload: string;
  readonly receivedAt: number;
}

/** Whom a delivery may concern: nobody, the open runs of a repository should there be any, or anybody. */
export type Concern = "nothing" | "anything" | { readonly openRunsOf: number };

export interface RunRecord {
  readonly repositoryId: number;
  readonly runKey: RunKey;
  readonly installationId: number;
  readonly owner: string;
  readonly name: string;
  readonly issue: number;
  readonly status: "open" | "closed";
  readonly createdAt: number;
}

/** A run's address. */
export interface RunAddress {
  readonly repositoryId: number;
  readonly runKey: RunKey;
}

export interface StoredFact {
  /** Position in the run, from 1, without gaps. */
  readonly seq: number;
  /** Unique per run: the same happening recorded twice is one fact. */
  readonly key: string;
  readonly at: number;
  /** JSON. */
  readonly fact: string;
}

export interface NewFact {
  readonly key: string;
  readonly at: number;
  readonly fact: string;
}

export interface Lease {
  /** `intake:<repository id>:<issue>`, or `run:<repository id>:<run key>`. */
  readonly key: string;
  /** Hints that arrived since the key was last done, oldest first, without duplicates. */
  readonly hints: readonly string[];
  readonly token: string;
}

export interface Store {
  /**
   * Durable when it resolves.
   * @param concern what it may concern, `anything` by default. Of one that concerns nobody only the GUID is kept.
   * @returns false when the delivery is known already.
   */
  putDelivery(delivery: Delivery, concern?: Concern): Promise<boolean>;
  /** Deliveries not yet routed, oldest first. */
  loadDeliveries(limit: number): Promise<readonly Delivery[]>;
  /** Routed: each target key becomes due now with its hints, and the deliveries are done, in one transaction. */
  routeDeliveries(
    guids: readonly string[],
    targets: ReadonlyArray<{ readonly key: string; readonly hints: readonly string[] }>,
    now: number,
  ): Promise<void>;
  /** Deletes done deliveries older than this; the GUIDs are kept for deduplication for the redelivery window. */
  pruneDeliveries(before: number): Promise<number>;

  /** A key becomes due at a time, or earlier if it already was. */
  putDue(key: string, at: number, hints?: readonly string[]): Promise<void>;
  /** The most overdue key nobody works on, leased until `until`; null when nothing is due. */
  takeDue(now: number, until: number): Promise<Lease | null>;
  /** The earliest time anything is due (leases that run out included), or null. */
  loadNextDue(): Promise<number | null>;
  /** Keeps a lease. @returns false when it was lost. */
  extendLease(lease: Lease, until: number): Promise<boolean>;
  /** Done with a lease: hints it was given are gone, later ones stay due; `wakeAt` null = nothing more to wait for. */
  releaseLease(lease: Lease, wakeAt: number | null): Promise<void>;

  /** @throws when the key exists in this repository. `runId` numbers are given by the store: highest of the day + 1. */
  createRun(run: RunRecord, firstFacts: readonly NewFact[]): Promise<void>;
  loadRun(address: RunAddress): Promise<RunRecord | null>;
  loadRunsOfIssue(repositoryId: number, issue: number): Promise<readonly RunRecord[]>;
  loadOpenRuns(): Promise<readonly RunRecord[]>;
  loadRuns(): Promise<readonly RunRecord[]>;
  updateRun(
    address: RunAddress,
    change: Partial<Pick<RunRecord, "status" | "owner" | "name" | "installationId">>,
  ): Promise<void>;
  /** The next number of a day for `YYYY-MM-DD-NNN`, never given twice. */
  takeRunNumber(repositoryId: number, day: string): Promise<number>;

  /**
   * Appends facts whose key is new; the others are ignored.
   * @param after the position of the last fact the caller knows of. @throws StoreFailure of kind moved when there is
   * a later one; nothing is appended then.
   * @returns the facts stored, with their positions.
   */
  appendFacts(address: RunAddress, facts: readonly NewFact[], after?: number): Promise<readonly StoredFact[]>;
  loadFacts(address: RunAddress, after?: number): Promise<readonly StoredFact[]>;
  /** A fold of the facts up to `seq`, to start from. */
  putSnapshot(address: RunAddress, seq: number, state: string): Promise<void>;
  loadSnapshot(address: RunAddress): Promise<{ readonly seq: number; readonly state: string } | null>;

  /** Large texts (captures, change sets), named by their SHA-256; written once. */
  putDocument(text: string): Promise<string>;
  loadDocument(name: string): Promise<string | null>;

  /** Spends from a window shared by all instances. @returns the time (ms) from which it is allowed; `now` = at once. */
  spend(
    window: { readonly key: string; readonly limit: number; readonly periodMs: number },
    cost: number,
    now: number,
  ): Promise<number>;

  /** A small value kept across restarts (e.g. when deliveries were last checked). */
  putSetting(key: string, value: string): Promise<void>;
  loadSetting(key: string): Promise<string | null>;

  close(): Promise<void>;
}
