/** Mode `run`: does what the request says and writes one result file, whatever comes of it. */
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Config, defaultConfig } from "../../contracts/config.ts";
import { type JobRequest, RESULT_FILE } from "../../contracts/job.ts";
import { parseConfig } from "../../contracts/parse-config.ts";
import { IsolationImpossible, type IsolationNeed } from "../capture/isolate.ts";
import { loadDocument } from "../documents/document-source.ts";
import type { WorkerEnvironment } from "../environment.ts";
import { formatResult } from "../format-result.ts";
import { loadHead } from "../git/object-store.ts";
import { log, logForeign } from "../log.ts";
import { parseRequest } from "../parse-request.ts";
import { type JobContext, JobStopped, type RoleOutcome } from "../roles/job-context.ts";
import { runRole } from "../roles/run-role.ts";

/**
 * @throws UserError when the request cannot even be read: then there is no job to answer for.
 * @throws IsolationImpossible when commands cannot run as a user of their own, and that is required.
 */
export async function run(
  environment: WorkerEnvironment,
  signal: AbortSignal,
  isolation: IsolationNeed,
): Promise<void> {
  const request = parseRequest(environment);
  await mkdir(environment.folder, { recursive: true });
  const scratch = await mkdtemp(path.join(environment.folder, "job-"));
  const secrets = new Map<string, string>(environment.keys);
  try {
    const outcome = await runStopping(environment, request, { scratch, secrets, isolation }, signal);
    // A cancelled run leaves no result: the App has stopped waiting for it.
    if (signal.aborted) return;
    if (outcome.outcome === "done") logForeign("Done", outcome.summary);
    else logForeign(`No result (${outcome.outcome})`, outcome.cause);
    const text = formatResult(request, request.commit, outcome, secrets);
    const file = path.join(environment.folder, RESULT_FILE);
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
    log(`Wrote ${RESULT_FILE} (${Buffer.byteLength(text)} bytes).`);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function runStopping(
  environment: WorkerEnvironment,
  request: JobRequest,
  {
    scratch,
    secrets,
    isolation,
  }: { readonly scratch: string; readonly secrets: Map<string, string>; readonly isolation: IsolationNeed },
  signal: AbortSignal,
): Promise<RoleOutcome> {
  try {
    const head = await loadHead(environment.root);
    if (head !== request.commit)
      throw new JobStopped(`the checkout stands on ${head}, the request is for ${request.commit}`);
    const read = (title: keyof JobRequest["documents"]): Promise<string | null> =>
      readDocument(environment, request, title);
    const context: JobContext = {
      request,
      config: parseConfiguration(await read("config")),
      root: environment.root,
      scratch,
      keys: environment.keys,
      env: environment.variables,
      signal,
      isolation,
      addSecret: (name, value) => void secrets.set(name, value),
      loadDocument: read,
    };
    log(`Role ${request.role}, commit ${request.commit}.`);
    return await runRole(context);
  } catch (error) {
    if (error instanceof IsolationImpossible) throw error;
    if (error instanceof JobStopped) {
      const { message: cause, remedy } = error;
      return { outcome: "external", cause, usage: null, ...(remedy === undefined ? {} : { remedy }) };
    }
    const message = error instanceof Error ? error.message : "unknown failure";
    return { outcome: "external", cause: `the worker failed: ${message}`, usage: null };
  }
}

async function readDocument(
  environment: WorkerEnvironment,
  request: JobRequest,
  title: keyof JobRequest["documents"],
): Promise<string | null> {
  const name = request.documents[title];
  if (name === undefined) return null;
  const text = await loadDocument(environment.root, environment.folder, name);
  if (text === null)
    throw new JobStopped(`the document \`${title}\` (${name}) is neither in the clone nor could it be loaded`);
  return text;
}

function parseConfiguration(text: string | null): Config {
  if (text === null) return defaultConfig();
  const parsed = parseConfig(text);
  if (parsed.config === null)
    throw new JobStopped(`the configuration is not valid: ${parsed.problems[0]?.message ?? "unknown problem"}`);
  return parsed.config;
}
