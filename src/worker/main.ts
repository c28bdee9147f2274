/** What `.github/actions/worker` runs: one mode per step (see the action's metadata). */
import path from "node:path";
import { UserError } from "../contracts/errors.ts";
import { takeEnvironment, type WorkerEnvironment } from "./environment.ts";
import { log, logError } from "./log.ts";
import { closePaths, closePrograms, listProgramFolders, openPaths } from "./process/close-paths.ts";
import { ELEVATED, NOT_ISOLATED, receiveEnvironment } from "./process/elevation.ts";
import { wipeEnvironment } from "./process/wipe-environment.ts";

const cancelled = new AbortController();
// A cancelled step gets SIGINT, SIGTERM 7.5 s later and is killed 2.5 s after that:
// docs.github.com/en/actions/reference/workflows-and-actions/workflow-cancellation
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => cancelled.abort());

const elevated = process.argv[2] === ELEVATED;
if (elevated) await receiveEnvironment(process.env, () => cancelled.abort());
const environment = takeEnvironment(process.env);
if (wipeEnvironment(process.env) === "no" && environment.mode === "run")
  log("This machine lets programs of the same user read the environment this step was started with.");

/** As root: another user gets at the checkout, and nothing he can write is started, now or by a later step. */
function prepareMachine({ root, folder, variables }: WorkerEnvironment): void {
  const programs = listProgramFolders(variables["PATH"]);
  openPaths([path.dirname(root), ...programs]);
  closePaths([path.dirname(root), folder, process.execPath, process.argv[1] ?? "/"]);
  closePrograms(programs);
  process.env["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin";
}

async function runJob(job: WorkerEnvironment): Promise<void> {
  const { run } = await import("./modes/run.ts");
  if (elevated) {
    prepareMachine(job);
    return run(job, cancelled.signal, "required");
  }
  const { runElevated } = await import("./modes/run-elevated.ts");
  if ((await runElevated(job, cancelled.signal)) === "impossible") await run(job, cancelled.signal, "if-possible");
}

try {
  // Each mode loads what it needs: three steps of a job start this file, and two of them need little.
  switch (environment.mode) {
    case "claim":
      await (await import("./modes/claim.ts")).claim(environment);
      break;
    case "documents":
      await (await import("./modes/documents.ts")).loadDocuments(environment);
      break;
    case "run":
      await runJob(environment);
      break;
    default:
      throw new UserError(`the input \`mode\` must be claim, documents or run, not "${environment.mode}"`);
  }
  if (cancelled.signal.aborted) process.exitCode = 130;
} catch (error) {
  const message = error instanceof Error ? error.message : "unknown failure";
  if (elevated && error instanceof Error && error.name === "IsolationImpossible") {
    log(`Commands cannot run as a user of their own: ${message}.`);
    process.exitCode = NOT_ISOLATED;
  } else {
    logError(error instanceof UserError ? message : `the worker failed: ${message}`);
    process.exitCode = 1;
  }
}
