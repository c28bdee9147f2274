import type { CommandFileContents } from "./command-files.ts";
import type { Scope, Status, Value } from "./expressions.ts";
import { findFiles } from "./find-files.ts";
import { hashFiles } from "./hash-files.ts";
import type { JobLog } from "./job-log.ts";
import type { MatrixEntry } from "./expand-matrix.ts";
import type { ProcessGroup, StopTimes } from "./run-process.ts";
import type { RunRequest, RunnerHost } from "./runner-host.ts";
import type { RunDefaults } from "./workflow.ts";

/** Where a job's things lie; all below one folder that is removed with the job. */
export interface JobFolders {
  readonly root: string;
  readonly workspace: string;
  readonly temp: string;
  readonly home: string;
  readonly scratch: string;
  readonly tools: string;
  readonly commandFiles: string;
}

export interface RunnerOptions {
  /** `owner/repo/path` (no ref) of an action -> folder with the `action.yml` that runs in its place. */
  readonly actionOverrides: Readonly<Record<string, string>>;
  readonly times: StopTimes & {
    /** From cancellation to killing what `always()` still keeps running. */
    readonly cancelMs: number;
  };
  readonly maxLogBytes: number;
}

/** How a step, job or run ended, in the words of the `steps` and `needs` contexts. */
export type Result = "success" | "failure" | "cancelled" | "skipped";

export interface StepResult {
  /** Before `continue-on-error`. */
  readonly outcome: Result;
  readonly conclusion: Result;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Work an action registered for the end of the job, run in reverse order. */
export interface PostStep {
  readonly name: string;
  run(): Promise<void>;
}

/** Everything the steps of one job share. */
export interface JobSession {
  readonly request: RunRequest;
  readonly host: RunnerHost;
  readonly options: RunnerOptions;
  readonly jobId: number;
  readonly log: JobLog;
  readonly folders: JobFolders;
  readonly token: string;
  /** Contexts that do not change during the job. */
  readonly contexts: JobContexts;
  /** GITHUB_* and RUNNER_* variables, which steps cannot change. */
  readonly variables: Readonly<Record<string, string>>;
  /** PATH, HOME and the like, which steps may change. */
  readonly baseEnv: Readonly<Record<string, string>>;
  readonly trackingId: string;
  /** Aborted by cancellation or by the job's timeout: unfinished steps are asked to end. */
  readonly cancel: AbortSignal;
  /** Aborted when the patience after a cancellation is over: everything is killed. */
  readonly force: AbortSignal;
  readonly state: JobState;
}

export interface JobContexts {
  readonly github: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, string | boolean>>;
  readonly needs: Readonly<Record<string, unknown>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly matrix: MatrixEntry;
  readonly strategy: Readonly<Record<string, Value>>;
  readonly runner: Readonly<Record<string, string>>;
}

/** What changes while a job runs. */
export interface JobState {
  /** The workflow's and the job's `env`, and what steps wrote to GITHUB_ENV. */
  env: Record<string, string>;
  /** Newest first. */
  path: string[];
  posts: PostStep[];
  leftBehind: ProcessGroup[];
  stepCount: number;
}

/** The steps of the job itself, or of one use of a composite action. */
export interface Frame {
  readonly results: Record<string, StepResult>;
  /** A composite action's inputs; null in the job's own steps. */
  readonly inputs: Readonly<Record<string, string>> | null;
  readonly env: Readonly<Record<string, string>>;
  readonly defaults: RunDefaults;
  /** The action whose steps these are. */
  readonly action: { readonly folder: string; readonly repository: string; readonly ref: string } | null;
  /** 0 in the job's own steps. */
  readonly depth: number;
  failed: boolean;
}

export function deriveStatus(session: JobSession, frame: Frame): Status {
  const cancelled = session.cancel.aborted;
  return { success: !frame.failed && !cancelled, failure: frame.failed && !cancelled, cancelled };
}

/** What expressions see in a step; `env` is added to the job's. */
export function buildStepScope(session: JobSession, frame: Frame, env: Readonly<Record<string, string>>): Scope {
  const status = deriveStatus(session, frame);
  const { contexts, folders, state } = session;
  const jobStatus = status.cancelled ? "cancelled" : status.failure ? "failure" : "success";
  return {
    contexts: {
      ...contexts,
      github: {
        ...contexts.github,
        token: session.token,
        workspace: folders.workspace,
        action_path: frame.action?.folder ?? "",
        action_repository: frame.action?.repository ?? "",
        action_ref: frame.action?.ref ?? "",
        action_status: jobStatus,
      },
      inputs: frame.inputs ?? contexts.inputs,
      env: { ...state.env, ...frame.env, ...env },
      steps: frame.results,
      job: { status: jobStatus },
    },
    status,
    hashFiles: (patterns) =>
      hashFiles(findFiles(patterns, { cwd: folders.workspace, home: folders.home, hidden: "include" }).files),
  };
}

/** Takes over what a step wrote to its command files. */
export function applyCommandFiles(session: JobSession, contents: CommandFileContents): void {
  Object.assign(session.state.env, contents.env);
  session.state.path.unshift(...contents.path.toReversed());
  if (contents.summary.trim() !== "") session.host.addSummary?.(session.jobId, contents.summary);
}

/**
 * The complete environment of a step's process. The runner's own variables win over everything a
 * step sets: https://docs.github.com/en/actions/reference/workflows-and-actions/variables#default-environment-variables
 */
export function buildProcessEnv(
  session: JobSession,
  frame: Frame,
  env: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const merged: Record<string, string> = {
    ...session.baseEnv,
    ...session.state.env,
    ...frame.env,
    ...env,
    ...session.variables,
    ...own,
  };
  return { ...merged, PATH: [...session.state.path, merged["PATH"] ?? ""].filter((part) => part !== "").join(":") };
}
