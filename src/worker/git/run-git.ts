/**
 * Starts git on a checkout that untrusted code may have touched: no hooks, no monitors, no user or
 * system configuration, no prompts, no network.
 */
import { spawn } from "node:child_process";

export interface GitPlace {
  /** Folder git runs in. */
  readonly cwd: string;
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  readonly input?: string | Buffer;
  /** What it may fetch by: a folder of this machine, for a clone of one. Nothing when absent. */
  readonly protocol?: "file";
  /** Standard output beyond this is an error; 64 MiB when absent. */
  readonly maxBytes?: number;
}

export class GitError extends Error {
  override readonly name = "GitError";
}

const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.quotePath=false",
  "core.longPaths=true",
  "gc.auto=0",
  // A checkout may belong to another user than the step that reads it (container jobs); the
  // configuration that could do harm there is switched off above.
  "safe.directory=*",
];

/**
 * For every `git status` over a work tree others have written: else git starts a status inside each submodule, where
 * the configuration is theirs, and a filter in it would act for us. As an argument only: `ignore = none` in the
 * tree's `.gitmodules` outweighs the setting. https://git-scm.com/docs/git-status
 */
export const IGNORE_DIRT_IN_SUBMODULES = "--ignore-submodules=dirty";

/** @returns standard output. @throws GitError with git's own message when it does not exit with 0. */
export function runGit(args: readonly string[], place: GitPlace): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...settings.flatMap((setting) => ["-c", setting]), ...args], {
      cwd: place.cwd,
      env: formatGitEnvironment(place),
      stdio: "pipe",
    });
    const max = place.maxBytes ?? 64 * 1024 * 1024;
    const chunks: Buffer[] = [];
    let size = 0;
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > max) child.kill("SIGKILL");
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errors = (errors + chunk.toString("utf8")).slice(-2000);
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(place.input ?? "");
    child.on("error", (error) => reject(new GitError(`git cannot be started: ${error.message}`)));
    child.on("close", (exit) => {
      if (size > max) reject(new GitError(`git ${args[0] ?? ""} printed more than ${max} bytes`));
      else if (exit === 0) resolve(Buffer.concat(chunks));
      else reject(new GitError(`git ${args[0] ?? ""} failed: ${errors.trim()}`));
    });
  });
}

/** Standard output as trimmed text. */
export async function readGit(args: readonly string[], place: GitPlace): Promise<string> {
  return (await runGit(args, place)).toString("utf8").trim();
}

function formatGitEnvironment(place: GitPlace): Record<string, string> {
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    // No protocol at all for most, not even to fetch what a partial clone lacks. As a setting (`protocol.allow`) it would give
    // way to the repository's own `protocol.ext.allow`, and `ext` starts programs.
    GIT_ALLOW_PROTOCOL: place.protocol ?? "none",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LITERAL_PATHSPECS: "1",
  };
  if (place.gitDir !== undefined) env["GIT_DIR"] = place.gitDir;
  if (place.workTree !== undefined) env["GIT_WORK_TREE"] = place.workTree;
  if (place.indexFile !== undefined) env["GIT_INDEX_FILE"] = place.indexFile;
  return env;
}
