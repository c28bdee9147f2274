/** The store of the simulation: the same promises as the real one, kept in memory. Several instances share one. */
import { createHash } from "node:crypto";
import { bookCost, type Spent } from "../../../src/store/budget-window.ts";
import { StoreFailure } from "../../../src/store/store-failure.ts";
import type { Delivery, Lease, NewFact, RunAddress, RunRecord, Store, StoredFact } from "../../../src/store/port.ts";

interface DueRow {
  dueAt: number | null;
  readyAt: number;
  token: string | null;
  /** Hints in the order they came; `token` = handed to that worker already. */
  hints: Array<{ hint: string; token: string | null }>;
}

interface RunRow {
  record: RunRecord;
  readonly facts: StoredFact[];
  readonly keys: Set<string>;
  snapshot: { readonly seq: number; readonly state: string } | null;
}

interface InboxRow {
  readonly delivery: Delivery | null;
  readonly receivedAt: number;
  done: boolean;
}

/** GitHub redelivers for three days; one more for clocks that differ. */
const REMEMBERED_MS = 4 * 24 * 60 * 60 * 1000;

export class MemoryDatabase {
  readonly inbox = new Map<string, InboxRow>();
  readonly due = new Map<string, DueRow>();
  readonly runs = new Map<string, RunRow>();
  readonly numbers = new Map<string, number>();
  readonly documents = new Map<string, string>();
  readonly settings = new Map<string, string>();
  readonly budget = new Map<string, Spent>();
  tokens = 0;

  /** Everything is gone. */
  clear(): void {
    for (const part of [this.inbox, this.due, this.runs, this.numbers, this.documents, this.settings, this.budget])
      part.clear();
  }
}

export function openMemoryStore(database: MemoryDatabase = new MemoryDatabase()): Store {
  return { ...openInbox(database), ...openDue(database), ...openRuns(database), ...openRest(database) };
}

type InboxMethods = "putDelivery" | "loadDeliveries" | "routeDeliveries" | "pruneDeliveries";

function openInbox(database: MemoryDatabase): Pick<Store, InboxMethods> {
  const { inbox } = database;
  return {
    async putDelivery(delivery) {
      if (inbox.has(delivery.guid)) return false;
      inbox.set(delivery.guid, { delivery, receivedAt: delivery.receivedAt, done: false });
      return true;
    },
    async loadDeliveries(limit) {
      const waiting: Delivery[] = [];
      for (const row of inbox.values()) {
        if (row.done || row.delivery === null) continue;
        if (waiting.length >= limit) break;
        waiting.push(row.delivery);
      }
      return waiting;
    },
    async routeDeliveries(guids, targets, now) {
      for (const { key, hints } of targets) addDue(database, key, now, hints);
      for (const guid of guids) {
        const row = inbox.get(guid);
        if (row !== undefined) row.done = true;
      }
    },
    async pruneDeliveries(before) {
      let count = 0;
      for (const [guid, row] of inbox) {
        if (!row.done) continue;
        if (row.receivedAt < before - REMEMBERED_MS) inbox.delete(guid);
        else if (row.receivedAt < before && row.delivery !== null) {
          inbox.set(guid, { ...row, delivery: null });
          count += 1;
        }
      }
      return count;
    },
  };
}

function addDue(database: MemoryDatabase, key: string, at: number, hints: readonly string[]): void {
  const row = database.due.get(key);
  if (row === undefined) {
    const waiting = [...new Set(hints)].map((hint) => ({ hint, token: null }));
    database.due.set(key, { dueAt: at, readyAt: at, token: null, hints: waiting });
    return;
  }
  row.dueAt = row.dueAt === null ? at : Math.min(row.dueAt, at);
  if (row.token === null) row.readyAt = Math.min(row.readyAt, at);
  for (const hint of hints)
    if (!row.hints.some((known) => known.token === null && known.hint === hint)) row.hints.push({ hint, token: null });
}

type DueMethods = "putDue" | "takeDue" | "loadNextDue" | "extendLease" | "releaseLease";

function openDue(database: MemoryDatabase): Pick<Store, DueMethods> {
  const { due } = database;
  const find = (lease: Lease): DueRow | null => {
    const row = due.get(lease.key);
    return row === undefined || row.token !== lease.token ? null : row;
  };
  return {
    async putDue(key, at, hints = []) {
      addDue(database, key, at, hints);
    },
    async takeDue(now, until) {
      let found: [string, DueRow] | null = null;
      for (const entry of due)
        if (entry[1].readyAt <= now && (found === null || entry[1].readyAt < found[1].readyAt)) found = entry;
      if (found === null) return null;
      const [key, row] = found;
      const token = `token-${(database.tokens += 1)}`;
      row.token = token;
      row.readyAt = until;
      row.dueAt = row.dueAt !== null && row.dueAt > now ? row.dueAt : null;
      for (const hint of row.hints) hint.token = token;
      return { key, token, hints: [...new Set(row.hints.map((entry) => entry.hint))] };
    },
    async loadNextDue() {
      let next: number | null = null;
      for (const { readyAt } of due.values()) if (next === null || readyAt < next) next = readyAt;
      return next;
    },
    async extendLease(lease, until) {
      const row = find(lease);
      if (row === null) return false;
      row.readyAt = until;
      return true;
    },
    async releaseLease(lease, wakeAt) {
      const row = find(lease);
      if (row === null) return;
      row.hints = row.hints.filter((hint) => hint.token !== lease.token);
      const times = [row.dueAt, wakeAt].filter((time) => time !== null);
      if (times.length === 0) {
        due.delete(lease.key);
        return;
      }
      row.token = null;
      row.dueAt = Math.min(...times);
      row.readyAt = row.dueAt;
    },
  };
}

type RunMethods =
  | "createRun"
  | "loadRun"
  | "loadRunsOfIssue"
  | "loadOpenRuns"
  | "loadRuns"
  | "updateRun"
  | "takeRunNumber"
  | "appendFacts"
  | "loadFacts"
  | "putSnapshot"
  | "loadSnapshot";

function openRuns(database: MemoryDatabase): Pick<Store, RunMethods> {
  const { runs } = database;
  const list = (test: (record: RunRecord) => boolean): readonly RunRecord[] =>
    [...runs.values()]
      .map((row) => row.record)
      .filter(test)
      .sort((a, b) => a.createdAt - b.createdAt || a.repositoryId - b.repositoryId);
  const need = (address: RunAddress): RunRow => {
    const row = runs.get(formatAddress(address));
    if (row === undefined)
      throw new StoreFailure("unknown", `There is no run ${address.runKey} in repository ${address.repositoryId}.`);
    return row;
  };
  return {
    async createRun(record, firstFacts) {
      const key = formatAddress(record);
      if (runs.has(key))
        throw new StoreFailure("exists", `Run ${record.runKey} exists in repository ${record.repositoryId}.`);
      const row: RunRow = { record, facts: [], keys: new Set(), snapshot: null };
      append(row, firstFacts);
      runs.set(key, row);
    },
    async loadRun(address) {
      return runs.get(formatAddress(address))?.record ?? null;
    },
    async loadRunsOfIssue(repositoryId, issue) {
      return list((record) => record.repositoryId === repositoryId && record.issue === issue);
    },
    async loadOpenRuns() {
      return list((record) => record.status === "open");
    },
    async loadRuns() {
      return list(() => true);
    },
    async updateRun(address, change) {
      const row = need(address);
      row.record = { ...row.record, ...change };
    },
    async takeRunNumber(repositoryId, day) {
      const key = `${repositoryId}/${day}`;
      const number = (database.numbers.get(key) ?? 0) + 1;
      database.numbers.set(key, number);
      return number;
    },
    async appendFacts(address, facts, after) {
      const row = need(address);
      if (after !== undefined && after !== row.facts.length)
        throw new StoreFailure("moved", `Run ${address.runKey} has come to fact ${row.facts.length}, not ${after}.`);
      return append(row, facts);
    },
    async loadFacts(address, after = 0) {
      return runs.get(formatAddress(address))?.facts.slice(after) ?? [];
    },
    async putSnapshot(address, seq, state) {
      const row = need(address);
      if (row.snapshot === null || row.snapshot.seq < seq) row.snapshot = { seq, state };
    },
    async loadSnapshot(address) {
      return runs.get(formatAddress(address))?.snapshot ?? null;
    },
  };
}

function append(row: RunRow, facts: readonly NewFact[]): readonly StoredFact[] {
  for (const { at } of facts) if (!Number.isFinite(at)) throw new StoreFailure("unknown", "A fact has no time.");
  const stored: StoredFact[] = [];
  for (const { key, at, fact } of facts) {
    if (row.keys.has(key)) continue;
    row.keys.add(key);
    stored.push({ seq: row.facts.length + stored.length + 1, key, at, fact });
  }
  row.facts.push(...stored);
  return stored;
}

type RestMethods = "putDocument" | "loadDocument" | "spend" | "putSetting" | "loadSetting" | "close";

function openRest(database: MemoryDatabase): Pick<Store, RestMethods> {
  return {
    async putDocument(text) {
      const name = createHash("sha256").update(text).digest("hex");
      database.documents.set(name, text);
      return name;
    },
    async loadDocument(name) {
      return database.documents.get(name) ?? null;
    },
    async spend(window, cost, now) {
      const booking = bookCost(database.budget.get(window.key) ?? { slots: [] }, window, cost, now);
      database.budget.set(window.key, booking.spent);
      return booking.at;
    },
    async putSetting(key, value) {
      database.settings.set(key, value);
    },
    async loadSetting(key) {
      return database.settings.get(key) ?? null;
    },
    async close() {},
  };
}

function formatAddress({ repositoryId, runKey }: RunAddress): string {
  return `${repositoryId}/${runKey}`;
}
