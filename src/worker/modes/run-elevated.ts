/** Mode `run` for the roles that run a repository's commands, where the machine lets us part with them. */
import { copyFile, mkdir, rename } from "node:fs/promises";
import path from "node:path";
import { RESULT_FILE } from "../../contracts/job.ts";
import type { WorkerEnvironment } from "../environment.ts";
import { canElevate, NOT_ISOLATED, startElevated } from "../process/elevation.ts";

/**
 * Code under test that is another user can neither write the result nor read what the steps of the job hold.
 * @returns `impossible` when the role or the machine is not for it: nothing was done.
 * @throws Error when the worker was started and failed.
 */
export async function runElevated(
  environment: WorkerEnvironment,
  signal: AbortSignal,
): Promise<"done" | "cancelled" | "impossible"> {
  const captures = environment.role === "baseline" || environment.role === "floor";
  if (!captures || !canElevate(environment.variables)) return "impossible";
  // Made by us, so that what lies in it can be replaced by us.
  await mkdir(environment.folder, { recursive: true });
  const { mode, role, job, request } = environment;
  const exit = await startElevated(
    {
      ...environment.variables,
      INPUT_MODE: mode,
      TASKFLEET_ROLE: role,
      TASKFLEET_JOB: job,
      TASKFLEET_REQUEST: request,
    },
    signal,
  );
  if (signal.aborted) return "cancelled";
  if (exit === NOT_ISOLATED) return "impossible";
  if (exit !== 0) throw new Error(`as root it ended with ${exit ?? "a signal"}`);
  const file = path.join(environment.folder, RESULT_FILE);
  await copyFile(file, `${file}.own`);
  await rename(`${file}.own`, file);
  return "done";
}
