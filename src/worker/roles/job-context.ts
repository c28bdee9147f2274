/** What a role works with, and what it hands back. */
import type { Config } from "../../contracts/config.ts";
import type { JobRequest, JobResult, Remedy, Usage } from "../../contracts/job.ts";
import type { ModelKey } from "../../contracts/model-keys.ts";
import type { IsolationNeed } from "../capture/isolate.ts";

export interface JobContext {
  readonly request: JobRequest;
  readonly config: Config;
  /** The checkout of `request.commit`. */
  readonly root: string;
  /** An empty folder outside the checkout, removed at the end. */
  readonly scratch: string;
  readonly keys: ReadonlyMap<ModelKey, string>;
  /** The step's environment, without token and keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** What becomes of captures where the repository's commands cannot run as a user of their own. */
  readonly isolation: IsolationNeed;
  /** What must never leave the job, beside the model keys. */
  readonly addSecret: (name: string, value: string) => void;
  /** A document's text; null when the request names none. @throws JobStopped when it cannot be had. */
  readonly loadDocument: (title: keyof JobRequest["documents"]) => Promise<string | null>;
}

export type Payload = Extract<JobResult, { outcome: "done" }>["payload"];

export type RoleOutcome =
  | {
      readonly outcome: "done";
      readonly payload: Payload;
      readonly summary: string;
      readonly usage: Usage | null;
      readonly promptVersion?: string;
    }
  | {
      readonly outcome: "unusable" | "external";
      readonly cause: string;
      readonly usage: Usage | null;
      /** What ends an outside failure, where it is known. */
      readonly remedy?: Remedy;
      readonly promptVersion?: string;
    };

/**
 * The job cannot go on, through nobody's fault who works in it; `message` says the smallest next step. `remedy` is
 * given where nothing but that step helps.
 */
export class JobStopped extends Error {
  override readonly name = "JobStopped";
  readonly remedy: Remedy | undefined;

  constructor(message: string, remedy?: Remedy) {
    super(message);
    this.remedy = remedy;
  }
}
