/** The tables, as Kysely types; times are milliseconds since the epoch. */
import type { Generated } from "kysely";

interface InboxTable {
  readonly seq: Generated<number>;
  readonly guid: string;
  readonly event: string;
  /** null once pruned: the row stays so that a redelivery is recognised. */
  payload: string | null;
  readonly received_at: number;
  done_at: number | null;
}

interface RunTable {
  readonly repository_id: number;
  readonly run_key: string;
  installation_id: number;
  owner: string;
  name: string;
  readonly issue: number;
  status: "open" | "closed";
  readonly created_at: number;
}

interface RunNumberTable {
  readonly repository_id: number;
  readonly day: string;
  last: number;
}

interface FactTable {
  readonly repository_id: number;
  readonly run_key: string;
  readonly seq: number;
  readonly fact_key: string;
  readonly at: number;
  readonly fact: string;
}

interface SnapshotTable {
  readonly repository_id: number;
  readonly run_key: string;
  seq: number;
  state: string;
}

interface DueTable {
  readonly key: string;
  /** When it is due; null while leased and nothing new has come. */
  due_at: number | null;
  /** When it may be taken: `due_at`, or the lease's end while leased. */
  ready_at: number;
  /** The lease's token, or null when nobody works on it. */
  token: string | null;
}

interface DueHintTable {
  readonly seq: Generated<number>;
  readonly key: string;
  readonly hint: string;
  /** The lease that was given this hint; null for one that waits. */
  token: string | null;
}

interface DocumentTable {
  readonly name: string;
  /** UTF-8. */
  readonly content: Uint8Array;
}

interface SettingTable {
  readonly key: string;
  value: string;
}

interface BudgetTable {
  readonly key: string;
  /** JSON: see budget-window.ts. */
  spent: string;
}

export interface Tables {
  readonly inbox: InboxTable;
  readonly runs: RunTable;
  readonly run_numbers: RunNumberTable;
  readonly facts: FactTable;
  readonly snapshots: SnapshotTable;
  readonly due: DueTable;
  readonly due_hints: DueHintTable;
  readonly documents: DocumentTable;
  readonly settings: SettingTable;
  readonly budget: BudgetTable;
}

export type Dialect = "sqlite" | "postgres";
