/** What a step of the workflow is told, read once from its environment. */
import os from "node:os";
import path from "node:path";
import { MODEL_KEYS, type ModelKey } from "../contracts/model-keys.ts";

export interface WorkerEnvironment {
  readonly mode: string;
  /** The checkout. */
  readonly root: string;
  /** A folder of this job alone, kept between its steps. */
  readonly folder: string;
  /** Where a step writes its outputs; null outside Actions. */
  readonly outputFile: string | null;
  /** `owner/name`. */
  readonly repository: string;
  readonly apiUrl: string;
  readonly runId: number;
  /** The branch the run was dispatched on. */
  readonly refName: string;
  /** File name of the workflow. */
  readonly workflowFile: string;
  readonly role: string;
  readonly job: string;
  /** The request, as JSON text. */
  readonly request: string;
  /** Read-only token; only steps that start no other program have one. */
  readonly token: string | null;
  readonly keys: ReadonlyMap<ModelKey, string>;
  /** Everything else, for the programs of agents and commands to choose from. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** What the runner and the workflow hand to this step alone: tokens, addresses, inputs, the request. */
const ownOfTheStep = /^(?:ACTIONS_.*|INPUT_.*|TASKFLEET_(?:TOKEN|ROLE|JOB|REQUEST)|(?:GITHUB|GH)_TOKEN)$/u;

/**
 * Reads the environment and removes from it what is this step's own, so that no program started later
 * inherits it by accident. What the kernel shows of it is `wipeEnvironment`'s business.
 */
export function takeEnvironment(env: NodeJS.ProcessEnv): WorkerEnvironment {
  const take = (name: string): string => {
    const value = env[name] ?? "";
    delete env[name];
    return value;
  };
  const keys = new Map<ModelKey, string>();
  for (const name of MODEL_KEYS) {
    const value = take(name).trim();
    if (value !== "") keys.set(name, value);
  }
  const token = take("TASKFLEET_TOKEN");
  const environment = {
    mode: env["INPUT_MODE"] ?? "",
    root: env["GITHUB_WORKSPACE"] ?? process.cwd(),
    folder: path.join(env["RUNNER_TEMP"] ?? os.tmpdir(), "taskfleet"),
    outputFile: env["GITHUB_OUTPUT"] ?? null,
    repository: env["GITHUB_REPOSITORY"] ?? "",
    apiUrl: env["GITHUB_API_URL"] ?? "https://api.github.com",
    runId: Number(env["GITHUB_RUN_ID"] ?? "0"),
    refName: env["GITHUB_REF_NAME"] ?? "",
    // owner/name/.github/workflows/file.yml@refs/heads/branch
    workflowFile: path.posix.basename((env["GITHUB_WORKFLOW_REF"] ?? "taskfleet.yml").split("@")[0] ?? ""),
    role: env["TASKFLEET_ROLE"] ?? "",
    job: env["TASKFLEET_JOB"] ?? "",
    request: env["TASKFLEET_REQUEST"] ?? "",
    token: token === "" ? null : token,
    keys,
  };
  for (const name of Object.keys(env)) if (ownOfTheStep.test(name)) delete env[name];
  return { ...environment, variables: { ...env } };
}
