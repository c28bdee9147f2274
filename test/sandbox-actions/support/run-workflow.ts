import path from "node:path";
import type { Conclusion, RunRequest } from "../../../src/sandbox/actions/runner-host.ts";
import { type StartRunOptions, startRun } from "../../../src/sandbox/actions/start-run.ts";
import { RecordingHost } from "./recording-host.ts";
import type { SandboxRepository } from "./sandbox-repository.ts";

export interface WorkflowTrial {
  readonly host: RecordingHost;
  readonly end: Promise<{ conclusion: Conclusion; runName: string }>;
  cancel(): void;
}

let runs = 0;

/** A dispatch of a workflow on the repository's main branch; anything can be overridden. */
export function buildRequest(
  repository: SandboxRepository,
  text: string,
  overrides: Partial<RunRequest> = {},
): RunRequest {
  runs += 1;
  return {
    runId: 1000 + runs,
    runNumber: runs,
    runAttempt: 1,
    workflow: { path: ".github/workflows/trial.yml", text },
    event: { name: "workflow_dispatch", inputs: {} },
    payload: {},
    ref: "refs/heads/main",
    sha: repository.run("rev-parse", "main"),
    actor: "ada",
    repository: { fullName: "acme/shop", id: 77, cloneUrl: repository.cloneUrl, defaultBranch: "main" },
    serverUrl: "http://localhost:1",
    apiUrl: "http://localhost:1/api/v3",
    graphqlUrl: "http://localhost:1/api/graphql",
    secrets: {},
    workDir: path.join(repository.folder, `run-${runs}`),
    ...overrides,
  };
}

/** Starts a run; `end` settles when it is over. */
export function startTrial(
  repository: SandboxRepository,
  text: string,
  overrides: Partial<RunRequest> = {},
  options: StartRunOptions = {},
): WorkflowTrial {
  const host = new RecordingHost();
  const controller = new AbortController();
  const end = startRun(buildRequest(repository, text, overrides), host, controller.signal, options);
  return { host, end, cancel: () => controller.abort() };
}

/** Runs a workflow to its end. */
export async function runTrial(
  repository: SandboxRepository,
  text: string,
  overrides: Partial<RunRequest> = {},
  options: StartRunOptions = {},
): Promise<{ host: RecordingHost; conclusion: Conclusion; runName: string }> {
  const { host, end } = startTrial(repository, text, overrides, options);
  return { host, ...(await end) };
}

/** A workflow with one job `trial` of the given steps, as YAML below `steps:`. */
export function jobOf(steps: string, jobKeys = ""): string {
  const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by);
  return `on: workflow_dispatch
jobs:
  trial:
    runs-on: ubuntu-latest
${indent(jobKeys.trim(), "    ")}
    steps:
${indent(steps.replace(/^\n/, "").trimEnd(), "      ")}
`;
}
