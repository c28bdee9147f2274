/** What `.github/actions/worker` runs: one mode per step (see the action's metadata). */
import { UserError } from "../contracts/errors.ts";
import { takeEnvironment } from "./environment.ts";
import { log, logError } from "./log.ts";
import { wipeEnvironment } from "./process/wipe-environment.ts";

const cancelled = new AbortController();
// A cancelled step gets SIGINT, SIGTERM 7.5 s later and is killed 2.5 s after that:
// docs.github.com/en/actions/reference/workflows-and-actions/workflow-cancellation
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => cancelled.abort());

const environment = takeEnvironment(process.env);
if (wipeEnvironment(process.env) === "no" && environment.mode === "run")
  log("This machine lets programs of the same user read the environment this step was started with.");
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
      await (await import("./modes/run.ts")).run(environment, cancelled.signal);
      break;
    default:
      throw new UserError(`the input \`mode\` must be claim, documents or run, not "${environment.mode}"`);
  }
  if (cancelled.signal.aborted) process.exitCode = 130;
} catch (error) {
  logError(
    error instanceof UserError
      ? error.message
      : `the worker failed: ${error instanceof Error ? error.message : "unknown failure"}`,
  );
  process.exitCode = 1;
}
