import path from "node:path";
import { deriveGithubVariables } from "./contexts.ts";
import { deriveEventFile } from "./job-folders.ts";
import type { JobFolders } from "./job-session.ts";

export interface HostFacts {
  /** The Node that runs the runner; its folder comes first in every job's PATH. */
  readonly execPath: string;
  readonly path: string;
  readonly platform: string;
  readonly arch: string;
}

/**
 * What a job inherits: a search path and a locale. Nothing else of the host's environment reaches a
 * job, neither tokens nor proxies nor npm settings.
 */
export function deriveBaseEnv(facts: HostFacts, folders: JobFolders): Readonly<Record<string, string>> {
  // `npm run` puts the project's own tools first; a job must not find them.
  const inherited = facts.path
    .split(":")
    .filter((entry) => path.isAbsolute(entry) && !/\/node_modules\/|\/node-gyp-bin$/.test(`${entry}/`));
  return {
    PATH: [...new Set([path.dirname(facts.execPath), ...inherited])].join(":"),
    HOME: folders.home,
    LANG: "C.UTF-8",
    TMPDIR: folders.scratch,
    CI: "true",
  };
}

/** The `runner` context. */
export function deriveRunnerContext(facts: HostFacts, folders: JobFolders): Readonly<Record<string, string>> {
  return {
    name: "taskfleet-sandbox",
    os: facts.platform === "darwin" ? "macOS" : facts.platform === "win32" ? "Windows" : "Linux",
    arch: facts.arch === "arm64" ? "ARM64" : "X64",
    environment: "self-hosted",
    temp: folders.temp,
    tool_cache: folders.tools,
    workspace: path.dirname(folders.workspace),
  };
}

/** https://docs.github.com/en/actions/reference/workflows-and-actions/variables#default-environment-variables */
export function deriveJobVariables(
  github: Readonly<Record<string, unknown>>,
  runner: Readonly<Record<string, string>>,
  folders: JobFolders,
  trackingId: string,
): Readonly<Record<string, string>> {
  return {
    ...deriveGithubVariables(github),
    ...Object.fromEntries(Object.entries(runner).map(([key, value]) => [`RUNNER_${key.toUpperCase()}`, value])),
    GITHUB_ACTIONS: "true",
    GITHUB_EVENT_PATH: deriveEventFile(folders),
    GITHUB_WORKSPACE: folders.workspace,
    RUNNER_TRACKING_ID: trackingId,
  };
}
