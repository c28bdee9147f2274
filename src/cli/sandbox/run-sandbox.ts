import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { LABEL, parseBranch, parseMarker } from "../../contracts/names.ts";
import { AppOnStage } from "../demo/app-on-stage.ts";
import { createReader, type Reader } from "../demo/github-reader.ts";
import { createTeller } from "../demo/run-demo.ts";
import type { Sighting } from "../demo/sighting.ts";
import { Sightings } from "../demo/sightings.ts";
import { startWebhookRelay } from "../demo/webhook-relay.ts";
import { prepareWorker } from "../demo/worker-bundle.ts";
import type { LocalAgent } from "../local-agent/choose-agent.ts";
import { runGit } from "../run-git.ts";
import { handBack } from "./hand-back.ts";
import { buildOwnStage, type OwnStage } from "./own-stage.ts";
import type { LocalIssue } from "./read-issue.ts";

export interface SandboxRun {
  readonly repo: string;
  readonly agent: LocalAgent;
  readonly issue: LocalIssue;
  /** Lines that begin with `/` are commands of the person at the terminal; null = nobody is there. */
  readonly commands: AsyncIterable<Uint8Array> | null;
  readonly approval: "asked" | "given";
  readonly colour: "on" | "off";
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

const SETTLE_MS = 15_000;

export type SandboxOutcome = "merged" | "ended" | "waits";

/** @throws UserError when the folder is no repository or has no commit. */
export async function runSandbox(run: SandboxRun): Promise<SandboxOutcome> {
  const { print } = run;
  const root = await runGit(run.repo, ["rev-parse", "--show-toplevel"]);
  if ((await runGit(root, ["status", "--porcelain"])) !== "")
    print("What is not committed stays out: the run starts from your last commit.");
  print("Building the worker …");
  const stage = await buildOwnStage({ root, agent: run.agent, workerFolder: await prepareWorker() });
  const startedAt = Date.now();
  const sightings = new Sightings();
  const tell = createTeller(run);
  const app = new AppOnStage(stage);
  const relay = await startWebhookRelay(startedAt, (sighting) => {
    tell(sighting);
    sightings.add(sighting);
  });
  try {
    stage.sandbox.setWebhookTarget(relay.url);
    await app.begin(relay);
    const apiUrl = `${stage.sandbox.url}/api/v3`;
    const person = createReader({ apiUrl, token: stage.token, owner: stage.owner, repository: stage.repository });
    const { data } = await person.octokit.rest.issues.create({ ...person.at, ...run.issue });
    await person.octokit.rest.issues.addLabels({ ...person.at, issue_number: data.number, labels: [LABEL] });
    print(`The local issue is ${stage.sandbox.url}/${stage.owner}/${stage.repository}/issues/${data.number}`);
    const outcome = await follow(run, person, data.number, sightings);
    await show(run, stage, root, sightings);
    return outcome;
  } finally {
    await app.end();
    await relay.close();
    await stage.close();
  }
}

/** Until the report is there, or nobody is left to answer a question. */
async function follow(run: SandboxRun, person: Reader, issue: number, sightings: Sightings): Promise<SandboxOutcome> {
  const ended = new AbortController();
  const signal = AbortSignal.any([run.signal, ended.signal]);
  const say = async (body: string): Promise<void> => {
    await person.octokit.rest.issues.createComment({ ...person.at, issue_number: issue, body });
  };
  try {
    void approve(run, say, sightings, signal);
    const answered = { upTo: 0 };
    const alone = passOnCommands(run, say, signal, () => void (answered.upTo = sightings.all.length));
    const asked = alone.then(async () => {
      const open = (sighting: Sighting): boolean =>
        sightings.all.indexOf(sighting) >= answered.upTo && isQuestion(sighting, run.approval);
      return await sightings.waitFor(open, signal);
    });
    // Whichever loses is aborted at the end.
    asked.catch(() => {});
    const seen = await Promise.race([sightings.waitFor(isEnd, signal), asked]);
    if (seen.kind !== "comment" || readKey(seen) !== "report") return "waits";
    // The report is written before the last effects are seen.
    const settled = AbortSignal.any([signal, AbortSignal.timeout(SETTLE_MS)]);
    await sightings.waitFor(isFeatureOver, settled).catch(() => {});
    return sightings.all.some(isFeatureMerged) ? "merged" : "ended";
  } finally {
    ended.abort(new Error("the run is over"));
  }
}

/** Every revision is approved as it is shown; without `--yes` the person is told how. */
async function approve(
  run: SandboxRun,
  say: (body: string) => Promise<void>,
  sightings: Sightings,
  signal: AbortSignal,
): Promise<void> {
  const known = new Set<string>();
  const isNew = (sighting: Sighting): boolean => {
    const key = readKey(sighting);
    return key.startsWith("approval:") && !known.has(key);
  };
  try {
    for (;;) {
      known.add(readKey(await sightings.waitFor(isNew, signal)));
      if (run.approval === "given") await say("/approve");
      else run.print("Read the plan above, then type /approve, /replan with your wish, or /cancel.");
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Resolves when nobody can answer any more. */
async function passOnCommands(
  { commands, print }: SandboxRun,
  say: (body: string) => Promise<void>,
  signal: AbortSignal,
  onAnswer: () => void,
): Promise<void> {
  if (commands === null) return;
  const input = Readable.from(commands);
  const lines = createInterface({ input });
  signal.addEventListener("abort", () => lines.close(), { once: true });
  for await (const line of lines) {
    if (signal.aborted) return;
    if (line.trim().startsWith("/")) {
      onAnswer();
      await say(line.trim());
    } else if (line.trim() !== "") print("Commands begin with a slash; /help lists them.");
  }
}

function isEnd(sighting: Sighting): boolean {
  const key = readKey(sighting);
  return key === "report" || key === "direct-answer" || key.startsWith("preflight:") || key.startsWith("config:");
}

function isQuestion(sighting: Sighting, approval: SandboxRun["approval"]): boolean {
  const key = readKey(sighting);
  return key.startsWith("need:") || (approval === "asked" && key.startsWith("approval:"));
}

function readKey(sighting: Sighting): string {
  return sighting.kind === "comment" && sighting.bot ? (parseMarker(sighting.body)?.key ?? "") : "";
}

function isFeatureMerged(one: Sighting): boolean {
  return one.kind === "pull" && one.action === "merged" && isFeature(one.head);
}

/** GitHub marks it merged a little after the branch has moved. */
function isFeatureOver(one: Sighting): boolean {
  return isFeatureMerged(one) || (one.kind === "pull" && one.action === "closed" && isFeature(one.head));
}

function isFeature(head: string): boolean {
  return parseBranch(head)?.kind === "integration";
}

/** The result: what was merged, or how far it came. */
async function show(run: SandboxRun, stage: OwnStage, root: string, sightings: Sightings): Promise<void> {
  const { print } = run;
  const feature = sightings.all.findLast((one) => one.kind === "pull" && isFeature(one.head));
  if (feature === undefined || feature.kind !== "pull") return print("Nothing was built.");
  const key = parseBranch(feature.head)?.run ?? "run";
  // Its text may be edited after it was merged, so the newest sighting alone does not tell.
  const merged = sightings.all.some(isFeatureMerged);
  const head = merged ? stage.source : feature.head;
  const back = await handBack(root, stage, { head, run: key, title: run.issue.title });
  if (back === null) return print("The result is the same as your last commit.");
  print("");
  print(`Your repository has a new branch ${back.branch} (${back.files} changed files, one commit on yours).`);
  if (!merged) print("It is as far as the run came and was not accepted as a whole.");
  print(`  look:  git diff ${stage.start.slice(0, 10)} ${back.branch}`);
  print(`  push:  git push origin ${back.branch}`);
  print(`  all that happened, with the evidence:  git log ${back.history}`);
}
