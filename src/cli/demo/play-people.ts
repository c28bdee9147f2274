/** The people of the demo. They act on what they see on GitHub, as people do, with tokens of their own. */
import { LABEL, parseBranch, parseMarker } from "../../contracts/names.ts";
import { loadSampleIssue, type Scenario } from "../../sandbox/sample/sample-issue.ts";
import { createReader, type Reader } from "./github-reader.ts";
import type { Sighting } from "./sighting.ts";
import type { Sightings } from "./sightings.ts";
import type { Stage } from "./stage.ts";

export interface Play {
  readonly stage: Stage;
  readonly apiUrl: string;
  readonly scenario: Scenario;
  readonly sightings: Sightings;
  readonly signal: AbortSignal;
}

const replanWish =
  "/replan The treasurer would also like to open the report in a spreadsheet: please add CSV output, `tally report MONTH --csv`.";

/** The App asked for something the scenario has no answer to. */
export class UnexpectedQuestion extends Error {
  override readonly name = "UnexpectedQuestion";
}

/** Opens and labels the issue; the run begins. */
export async function openIssue(play: Play): Promise<number> {
  const maintainer = readAs(play, play.stage.maintainer.token);
  const issue = await loadSampleIssue(play.scenario);
  const { data } = await maintainer.octokit.rest.issues.create({ ...maintainer.at, ...issue });
  await maintainer.octokit.rest.issues.addLabels({ ...maintainer.at, issue_number: data.number, labels: [LABEL] });
  return data.number;
}

/** Plays everybody's part until the scenario's end is there to be seen. */
export async function playPeople(play: Play, issue: number): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([play.signal, ended.signal]);
  try {
    await Promise.race([playScenario({ ...play, signal }, issue), watchForQuestions({ ...play, signal }, issue)]);
  } finally {
    ended.abort(new Error("the play is over"));
  }
}

async function playScenario(play: Play, issue: number): Promise<void> {
  const maintainer = readAs(play, play.stage.maintainer.token);
  await playStranger(play, issue);
  await approve(play, maintainer, issue, 1);
  if (play.scenario === "replan") {
    const landed = await play.sightings.waitFor(isLanding, play.signal);
    const feature = await play.sightings.waitFor(isFeaturePull("opened"), play.signal);
    if (landed.kind !== "pull" || feature.kind !== "pull") return;
    await maintainer.octokit.rest.issues.createComment({
      ...maintainer.at,
      issue_number: feature.number,
      body: replanWish,
    });
    await approve(play, maintainer, issue, 2);
  }
  if (play.scenario === "escalate") await waitForEscalation(play, maintainer);
  else await waitForMerge(play, maintainer, issue);
}

/** Somebody who may not command tries to: by a label on an issue of their own, and by a comment. */
async function playStranger({ stage, apiUrl, sightings, signal }: Play, issue: number): Promise<void> {
  const { token, login } = stage.stranger;
  const stranger = createReader({ apiUrl, token, owner: stage.owner, repository: stage.repository });
  const wish = { title: "Rewrite it in another language", body: "- Everything, please." };
  const { data } = await stranger.octokit.rest.issues.create({ ...stranger.at, ...wish });
  await stranger.octokit.rest.issues.addLabels({ ...stranger.at, issue_number: data.number, labels: [LABEL] });
  await sightings.waitFor(isBotComment(`approval:1`, issue), signal);
  await stranger.octokit.rest.issues.createComment({ ...stranger.at, issue_number: issue, body: "/approve" });
  const refusal = `stranger:${login.toLowerCase()}:`;
  await sightings.waitFor(isBotComment(refusal, issue), signal);
}

async function approve({ sightings, signal }: Play, maintainer: Reader, issue: number, rev: number): Promise<void> {
  await sightings.waitFor(isBotComment(`approval:${rev}`, issue), signal);
  await maintainer.octokit.rest.issues.createComment({ ...maintainer.at, issue_number: issue, body: "/approve" });
}

/** Merged, the issue closed, and none of our branches left. */
async function waitForMerge(play: Play, maintainer: Reader, issue: number): Promise<void> {
  const { sightings, signal } = play;
  await sightings.waitFor(isFeaturePull("merged"), signal);
  await sightings.waitFor((seen) => seen.kind === "issue" && seen.action === "closed" && seen.number === issue, signal);
  await sightings.waitFor(isBotComment("report", issue), signal);
  for (const branch of await maintainer.listBranches()) {
    if (parseBranch(branch) === null) continue;
    await sightings.waitFor((seen) => isDeletion(seen, branch), signal);
  }
}

/** A question to people about a chunk, everything else landed, and the run's check on the last landing. */
async function waitForEscalation({ sightings, signal }: Play, maintainer: Reader): Promise<void> {
  const asked = await sightings.waitFor(isBotComment("need:escalation:", null), signal);
  const failed = asked.kind === "comment" ? /^need:escalation:([^:]+):/u.exec(readMarker(asked.body))?.[1] : undefined;
  const feature = await sightings.waitFor(isFeaturePull("opened"), signal);
  if (failed === undefined || feature.kind !== "pull") return;
  const run = parseBranch(feature.head)?.run ?? "";
  const plan = await maintainer.readPlan(`.taskfleet/${run}/plan.json`, feature.head);
  const stopped = new Set([failed]);
  // Chunks are in the order of the plan; one more round per level finds all that wait.
  for (const _ of plan.chunks)
    for (const { id, deps = [] } of plan.chunks) if (deps.some((dep) => stopped.has(dep))) stopped.add(id);
  const others = plan.chunks.map(({ id }) => id).filter((id) => !stopped.has(id));
  for (const id of others) await sightings.waitFor((seen) => isLanding(seen) && isAbout(seen, id), signal);
  const { data } = await maintainer.octokit.rest.git.getRef({ ...maintainer.at, ref: `heads/${feature.head}` });
  const tip = data.object.sha;
  await sightings.waitFor((seen) => seen.kind === "check" && seen.name === "taskfleet" && seen.sha === tip, signal);
}

/** Rejects when the App asks people what only the scenario `escalate` foresees. */
async function watchForQuestions({ sightings, signal, scenario }: Play, issue: number): Promise<never> {
  const foreseen = scenario === "escalate" ? /^need:escalation:/u : /^$/u;
  const question = await sightings.waitFor(
    (seen) => isBotComment("need:", issue)(seen) && seen.kind === "comment" && !foreseen.test(readMarker(seen.body)),
    signal,
  );
  throw new UnexpectedQuestion(
    question.kind === "comment" ? `the run asks people: ${question.url}` : "the run asks people",
  );
}

function readAs({ stage, apiUrl }: Play, token: string): Reader {
  return createReader({ apiUrl, token, owner: stage.owner, repository: stage.repository });
}

function readMarker(body: string): string {
  return parseMarker(body)?.key ?? "";
}

/** @param issue null = on any issue or pull request. */
function isBotComment(key: string, issue: number | null): (sighting: Sighting) => boolean {
  return (seen) =>
    seen.kind === "comment" &&
    seen.bot &&
    (issue === null || seen.number === issue) &&
    (key.endsWith(":") ? readMarker(seen.body).startsWith(key) : readMarker(seen.body) === key);
}

function isFeaturePull(action: "opened" | "merged"): (sighting: Sighting) => boolean {
  return (seen) => seen.kind === "pull" && seen.action === action && parseBranch(seen.head)?.kind === "integration";
}

function isLanding(seen: Sighting): boolean {
  return seen.kind === "pull" && seen.action === "merged" && parseBranch(seen.head)?.kind === "chunk";
}

function isAbout(seen: Sighting, chunk: string): boolean {
  const branch = seen.kind === "pull" ? parseBranch(seen.head) : null;
  return branch?.kind === "chunk" && branch.chunk === chunk;
}

/** A push to the zero id deletes a branch. */
function isDeletion(seen: Sighting, branch: string): boolean {
  return seen.kind === "push" && seen.ref === `refs/heads/${branch}` && /^0+$/u.test(seen.sha);
}
