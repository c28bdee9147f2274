/**
 * The worker as root, on GitHub's hosted runners: they give everybody sudo without a password, and only root can
 * start a job's commands as another user. Machines of one's own are left as they are: who may do what there is
 * their owner's business, and root's files would outlive the job.
 * docs.github.com/en/actions/reference/runners/github-hosted-runners#administrative-privileges
 */
import { spawn, spawnSync } from "node:child_process";

/** The argument that tells a worker that it was started so. */
export const ELEVATED = "elevated";

/** Exit status of an elevated worker that could not start commands as another user, and did nothing. */
export const NOT_ISOLATED = 77;

export function canElevate(env: Readonly<Record<string, string | undefined>>): boolean {
  if (process.platform !== "linux" || process.getuid?.() === 0) return false;
  if (env["RUNNER_ENVIRONMENT"] !== "github-hosted") return false;
  return spawnSync("sudo", ["-n", "--", "true"], { stdio: "ignore" }).status === 0;
}

/**
 * Starts this program again as root. Its environment goes by standard input: arguments can be read by everybody.
 * The end of the input tells it that it was cancelled, since a root's process takes no signal from us.
 * @returns its exit status; null when a signal ended it.
 */
export function startElevated(
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const program = [process.execPath, process.argv[1] ?? "", ELEVATED];
    const child = spawn("sudo", ["-n", "--", ...program], { stdio: ["pipe", "inherit", "inherit"] });
    const cancel = (): void => void child.stdin.end();
    child.stdin.on("error", () => undefined);
    child.stdin.write(`${JSON.stringify(env)}\n`);
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    child.on("error", reject);
    child.on("close", (exit) => {
      signal.removeEventListener("abort", cancel);
      resolve(exit);
    });
  });
}

/**
 * The other side of `startElevated`.
 * @param cancel is called when the starter cancels, or ends.
 * @throws Error when no environment comes.
 */
export function receiveEnvironment(env: NodeJS.ProcessEnv, cancel: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    process.stdin.setEncoding("utf8");
    process.stdin.on("data", (chunk: string) => {
      const length = text.length;
      text += chunk;
      if (!text.includes("\n", length)) return;
      Object.assign(env, JSON.parse(text) as NodeJS.ProcessEnv);
      // It is listened to as long as there is work, and keeps nobody waiting.
      process.stdin.unref();
      resolve();
    });
    process.stdin.on("end", () => {
      reject(new Error("no environment was handed over"));
      cancel();
    });
  });
}
