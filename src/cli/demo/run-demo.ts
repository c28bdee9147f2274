/**
 * The demo: the real App against a local GitHub with the sample repository on it, from a labelled issue
 * to merged work. Everything it shows and sums up is read from that GitHub.
 */
import { AppOnStage } from "./app-on-stage.ts";
import type { DemoOptions, DemoSummary, StageView } from "./demo-options.ts";
import { formatLine, type LineStyle } from "./format-line.ts";
import { createReader } from "./github-reader.ts";
import { narrate, Told } from "./narrate.ts";
import { openIssue, playPeople } from "./play-people.ts";
import type { Sighting } from "./sighting.ts";
import { Sightings } from "./sightings.ts";
import { buildStage, type Stage } from "./stage.ts";
import { summariseRun } from "./summarise.ts";
import { startWebhookRelay } from "./webhook-relay.ts";
import { prepareWorker } from "./worker-bundle.ts";

export class DemoFailure extends Error {
  override readonly name = "DemoFailure";
  /** What came of it all the same, and the end of the App's log. */
  readonly summary: DemoSummary | null;
  readonly log: readonly string[];

  constructor(
    message: string,
    details: { readonly summary: DemoSummary | null; readonly log: readonly string[]; readonly cause: unknown },
  ) {
    super(message, { cause: details.cause });
    this.summary = details.summary;
    this.log = details.log;
  }
}

/**
 * Runs one scenario to its end and cleans up: no process and no file is left.
 * @throws DemoFailure when the scenario does not come to its end in time.
 */
export async function runDemo(options: DemoOptions): Promise<DemoSummary> {
  const { print } = options;
  print("Building the worker …");
  const workerFolder = await prepareWorker();
  const stage = await buildStage({
    limits: options.limits,
    workerFolder,
    agent: options.agent ?? null,
  });
  try {
    print(`A local GitHub is up at ${stage.sandbox.url}/${stage.owner}/${stage.repository}`);
    return await runOnStage(stage, options);
  } finally {
    await stage.close();
  }
}

async function runOnStage(stage: Stage, options: DemoOptions): Promise<DemoSummary> {
  const startedAt = Date.now();
  const deadline = AbortSignal.timeout(options.deadlineMs);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  const sightings = new Sightings();
  const app = new AppOnStage(stage, {
    env: options.appEnv,
    onDeath: (control) => options.hooks?.onAppDeath?.(control),
  });
  const tell = createTeller(options);
  const see = (sighting: Sighting): void => {
    tell(sighting);
    sightings.add(sighting);
    options.hooks?.onEvent?.(sighting, app);
  };
  const relay = await startWebhookRelay(startedAt, see);
  try {
    stage.sandbox.setWebhookTarget(relay.url);
    await app.begin(relay);
    const play = { stage, apiUrl: formatApiUrl(stage), scenario: options.scenario, sightings, signal };
    const issue = await openIssue(play);
    const summarise = async (): Promise<DemoSummary> => await buildSummary(stage, issue, Date.now() - startedAt);
    try {
      await playPeople(play, issue);
    } catch (error) {
      const summary = await summarise().catch(() => null);
      await options.hooks?.onEnd?.(describeStage(stage, issue), summary);
      throw new DemoFailure(describeFailure(error, options), { summary, log: app.log, cause: error });
    }
    const summary = await summarise();
    await options.hooks?.onEnd?.(describeStage(stage, issue), summary);
    return summary;
  } finally {
    await app.end();
    await relay.close();
  }
}

export function createTeller({ print, colour }: Pick<DemoOptions, "print" | "colour">): (sighting: Sighting) => void {
  const told = new Told();
  const style: LineStyle = { colour, width: process.stdout.columns ?? 160 };
  return (sighting) => {
    for (const line of narrate(sighting, told)) for (const text of formatLine(line, style)) print(text);
  };
}

async function buildSummary(stage: Stage, issue: number, ms: number): Promise<DemoSummary> {
  const { owner, repository, maintainer, sandbox } = stage;
  // Counted before the summary's own reads; those are not the App's anyway.
  const { total, contentCreating } = sandbox.requests.app;
  const reader = createReader({ apiUrl: formatApiUrl(stage), token: maintainer.token, owner, repository });
  const summary = await summariseRun(reader, issue);
  const perChunk = summary.chunks.length === 0 ? 0 : Math.round(total / summary.chunks.length);
  return { ...summary, requests: { total, contentCreating, perChunk }, seconds: Math.round(ms / 100) / 10 };
}

function describeStage(stage: Stage, issue: number): StageView {
  const { owner, repository, maintainer, sandbox } = stage;
  const cloneUrl = new URL(`/${owner}/${repository}.git`, sandbox.url);
  cloneUrl.username = "x-access-token";
  cloneUrl.password = maintainer.token;
  return {
    url: sandbox.url,
    apiUrl: formatApiUrl(stage),
    owner,
    repository,
    cloneUrl: cloneUrl.href,
    maintainerToken: maintainer.token,
    issue,
  };
}

function formatApiUrl(stage: Stage): string {
  return `${stage.sandbox.url}/api/v3`;
}

function describeFailure(error: unknown, options: DemoOptions): string {
  if (options.signal?.aborted === true) return "interrupted";
  if (error instanceof DOMException && error.name === "TimeoutError")
    return `the run did not come to its end within ${Math.round(options.deadlineMs / 1000)} s`;
  return error instanceof Error ? error.message : String(error);
}
