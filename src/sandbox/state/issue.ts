import type { Account } from "./account.ts";

export interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

/** An issue, or the conversation side of a pull request (they share numbers). */
export interface Issue {
  readonly id: number;
  readonly number: number;
  readonly author: Account;
  /** The App it was created through, by id. */
  readonly appId: number | null;
  title: string;
  body: string | null;
  state: "open" | "closed";
  stateReason: "completed" | "not_planned" | "reopened" | "duplicate" | null;
  /** Lower-cased label names, in the order they were added. */
  labels: string[];
  assignees: Account[];
  locked: boolean;
  lockReason: string | null;
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: Account | null;
}

export interface Comment {
  readonly id: number;
  readonly issueNumber: number;
  readonly author: Account;
  readonly appId: number | null;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
}

/** What a timeline shows beside comments and reviews. */
export interface TimelineEntry {
  readonly issueNumber: number;
  readonly at: number;
  readonly actor: Account;
  readonly text: string;
}
