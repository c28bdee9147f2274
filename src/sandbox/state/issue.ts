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
  /** Numbers of its sub-issues in their order, and of the issues it is blocked by. */
  subIssues: number[];
  blockedBy: number[];
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

/** https://docs.github.com/en/rest/using-the-rest-api/issue-event-types */
export type IssueEventDetail =
  | { readonly event: "labeled" | "unlabeled"; readonly label: { readonly name: string; readonly color: string } }
  | { readonly event: "closed"; readonly reason: string | null }
  | { readonly event: "reopened" | "locked" | "unlocked" | "ready_for_review" | "convert_to_draft" }
  | { readonly event: "merged"; readonly commitId: string; readonly baseRef: string }
  | { readonly event: "head_ref_deleted" | "base_ref_deleted"; readonly ref: string }
  | { readonly event: "base_ref_changed"; readonly from: string; readonly to: string }
  | { readonly event: "renamed"; readonly from: string; readonly to: string }
  | {
      readonly event: "review_dismissed";
      readonly reviewId: number;
      readonly author: string;
      readonly state: string;
      readonly message: string;
    }
  /** New commits on a pull request: part of its timeline, not of its events. */
  | { readonly event: "pushed"; readonly sha: string; readonly ref: string };

export interface IssueEvent {
  readonly id: number;
  readonly issueNumber: number;
  readonly at: number;
  readonly actor: Account;
  readonly appId: number | null;
  readonly detail: IssueEventDetail;
}
