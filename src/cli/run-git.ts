import { execa } from "execa";
import { UserError } from "../contracts/errors.ts";

/**
 * Runs git in a folder, without a shell.
 * @returns its output without the last line break
 * @throws UserError with git's own words
 */
export async function runGit(
  cwd: string,
  args: readonly string[],
  options: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const result = await execa("git", [...args], {
    cwd,
    reject: false,
    ...(options.input === undefined ? { stdin: "ignore" as const } : { input: options.input }),
    env: { ...options.env, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
  });
  if (result.exitCode === 0) return result.stdout;
  const said = result.stderr === "" ? (result.shortMessage ?? "it did not run") : result.stderr;
  throw new UserError(`git ${args[0] ?? ""} failed: ${said}`);
}

/** The same, or null where git says no. */
export async function tryGit(cwd: string, args: readonly string[]): Promise<string | null> {
  try {
    return await runGit(cwd, args);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
