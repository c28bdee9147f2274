/**
 * The few kinds of failure the shell tells apart. `src/github` maps every failed request to one of
 * them once; anything else that is thrown is a bug of ours.
 */
export type FailureKind = "transient" | "conflict" | "terminal" | "misconfigured" | "dormant";

export interface FailureDetails {
  /** HTTP status, when a response came. */
  readonly status?: number;
  /** `METHOD /route`, never a URL with a token. */
  readonly request?: string;
  /** Milliseconds GitHub asked us to wait. */
  readonly retryAfterMs?: number;
  /** Whether the effect may have happened although no answer came. */
  readonly ambiguous?: boolean;
}

export class GitHubFailure extends Error {
  override readonly name = "GitHubFailure";
  readonly kind: FailureKind;
  readonly details: FailureDetails;

  /**
   * - transient: back off and try again;
   * - conflict: the world moved, read again and decide again;
   * - terminal: record it and tell people;
   * - misconfigured: the user's repository or settings, `message` says what to do;
   * - dormant: repository archived, installation suspended, App removed: leave it alone until it is back.
   */
  constructor(kind: FailureKind, message: string, details: FailureDetails = {}) {
    super(message);
    this.kind = kind;
    this.details = details;
  }
}

/** A user's input is wrong; `message` is written for the person who can mend it. */
export class UserError extends Error {
  override readonly name = "UserError";
}
