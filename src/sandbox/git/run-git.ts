import { callGitHost } from "./git-host.ts";
import type { GitResult } from "./spawn-git.ts";

export interface GitCallOptions {
  readonly input?: Uint8Array | string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A git command ended in a way its caller did not expect. */
export class GitFailure extends Error {
  readonly code: number;
  readonly stderr: string;

  constructor(args: readonly string[], result: GitResult) {
    super(`git ${args[0] ?? ""} ended with ${result.code}: ${result.stderr.trim()}`);
    this.name = "GitFailure";
    this.code = result.code;
    this.stderr = result.stderr;
  }
}

/** Nothing of the host's git configuration or credentials reaches the sandbox's repositories. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  HOME: "/nonexistent",
  LANG: "C.UTF-8",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "GitHub",
  GIT_AUTHOR_EMAIL: "noreply@github.com",
  GIT_COMMITTER_NAME: "GitHub",
  GIT_COMMITTER_EMAIL: "noreply@github.com",
};

/** The environment every git process of the sandbox starts from. */
export function buildGitEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...ENVIRONMENT, ...extra };
}

/** Runs one git command in a bare repository and returns whatever came of it. */
export function runGit(dir: string, args: readonly string[], options: GitCallOptions = {}): Promise<GitResult> {
  return callGitHost({ dir, args, env: buildGitEnvironment(options.env), input: options.input ?? "" });
}

/** Standard output as text; throws {@link GitFailure} unless the command succeeds. */
export async function readGit(dir: string, args: readonly string[], options: GitCallOptions = {}): Promise<string> {
  const result = await runGit(dir, args, options);
  if (result.code !== 0) throw new GitFailure(args, result);
  return result.stdout.toString();
}
