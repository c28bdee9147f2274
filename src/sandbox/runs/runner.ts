import type { Conclusion, RunRequest, RunnerHost } from "../actions/runner-host.ts";

export interface RunOutcome {
  readonly conclusion: Conclusion;
  readonly runName: string;
}

/** Executes one workflow run: real processes, or a script in tests. */
export type Runner = (request: RunRequest, host: RunnerHost, signal: AbortSignal) => Promise<RunOutcome>;
