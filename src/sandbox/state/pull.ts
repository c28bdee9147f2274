import type { Account } from "./account.ts";

/**
 * GitHub computes mergeability in the background; until then the API says null.
 * https://docs.github.com/en/rest/guides/using-the-rest-api-to-interact-with-your-git-database#checking-mergeability-of-pull-requests
 */
type Mergeability =
  | { readonly state: "unknown" }
  | { readonly state: "clean"; readonly mergeSha: string }
  | { readonly state: "conflict" };

/** The git side of a pull request; title, body, state and labels live in its issue. */
export interface Pull {
  readonly id: number;
  readonly number: number;
  readonly headRef: string;
  headSha: string;
  baseRef: string;
  baseSha: string;
  draft: boolean;
  mergeability: Mergeability;
  /** The head seen when the pull request was closed: a later force push bars reopening. */
  closedHeadSha: string | null;
  mergedAt: number | null;
  mergedBy: Account | null;
  mergeCommitSha: string | null;
  requestedReviewers: Account[];
}

export type ReviewState = "PENDING" | "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED";

export interface Review {
  readonly id: number;
  readonly pullNumber: number;
  readonly author: Account;
  body: string;
  state: ReviewState;
  readonly commitId: string;
  submittedAt: number | null;
}

export type DiffSide = "LEFT" | "RIGHT";

export interface ReviewComment {
  readonly id: number;
  readonly pullNumber: number;
  readonly reviewId: number;
  readonly author: Account;
  readonly path: string;
  readonly side: DiffSide;
  readonly line: number;
  readonly startLine: number | null;
  readonly startSide: DiffSide | null;
  readonly position: number;
  readonly diffHunk: string;
  readonly commitId: string;
  readonly inReplyTo: number | null;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
}
