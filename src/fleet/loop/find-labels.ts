/**
 * A label whose webhook never came starts its run all the same: repositories are asked in turn for the open issues
 * that carry it. One list per repository, of what has changed since the last one. The list of repositories tells as
 * well of those that are to be reached in another way since.
 */
import { LABEL } from "../../contracts/names.ts";
import { GitHubFailure } from "../../contracts/errors.ts";
import type { RepositoryPort, RepositoryRef } from "../../github/port.ts";
import type { Fleet } from "../context.ts";
import { followMove } from "../follow-move.ts";
import { formatDueKey } from "./due-key.ts";
import { isLabelAnswered } from "../intake/is-label-answered.ts";
import { formatIntakeHint } from "../intake/intake-hint.ts";

/** Clocks differ, and requests take their time. */
const OVERLAP_MS = 60_000;

/**
 * Repositories of one installation a call asks. With a sweep every five minutes that is an eighth of the 5000 requests
 * an hour GitHub grants the smallest (docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).
 */
const MOST_AT_ONCE = 50;

/**
 * @returns how many keys became due: of issues that were handed to the intake, which judges them as if their webhook
 * had come, and of runs whose repository moved.
 */
export async function findLabels(fleet: Fleet): Promise<number> {
  const known = await fleet.github.loadRepositoryRefs();
  let found = await findMoved(fleet, known);
  const installations = Map.groupBy(known, (ref) => ref.installationId);
  for (const [installation, refs] of installations) found += await findLabelsOf(fleet, installation, refs);
  return found;
}

async function findMoved(fleet: Fleet, known: readonly RepositoryRef[]): Promise<number> {
  const refs = new Map(known.map((ref) => [ref.id, ref]));
  let found = 0;
  for (const run of await fleet.store.loadOpenRuns()) {
    const ref = refs.get(run.repositoryId);
    if (ref === undefined || !(await followMove(fleet, run, ref))) continue;
    await fleet.store.putDue(formatDueKey({ kind: "run", address: run }), fleet.clock.now(), ["sweep"]);
    found += 1;
  }
  return found;
}

/** The next ones in the order of their ids, from where the last call came to. */
async function findLabelsOf(fleet: Fleet, installation: number, refs: readonly RepositoryRef[]): Promise<number> {
  const setting = `labels-turn:${installation}`;
  const last = Number(await fleet.store.loadSetting(setting));
  const sorted = refs.toSorted((a, b) => a.id - b.id);
  const turn = [...sorted.filter(({ id }) => id > last), ...sorted.filter(({ id }) => id <= last)];
  let found = 0;
  let reached = last;
  for (const ref of turn.slice(0, MOST_AT_ONCE)) {
    try {
      found += await findLabelsIn(fleet, fleet.github.repository(ref));
    } catch (error) {
      // One repository out of reach must not hide the labels of the others.
      if (!(error instanceof GitHubFailure)) throw error;
      fleet.log.warn({ repository: `${ref.owner}/${ref.name}`, failure: error.kind }, error.message);
      // GitHub wants a pause of the whole installation: this one is the first of the next turn.
      if (error.details.retryAfterMs !== undefined) break;
    }
    reached = ref.id;
  }
  if (turn.length > MOST_AT_ONCE) await fleet.store.putSetting(setting, `${reached}`);
  return found;
}

async function findLabelsIn(fleet: Fleet, repository: RepositoryPort): Promise<number> {
  const { ref } = repository;
  // What was found in the name of a former installation waits for that one: in the name of another all is asked anew.
  const setting = `labels-checked-at:${ref.installationId}:${ref.id}`;
  const now = fleet.clock.now();
  const checked = Number((await fleet.store.loadSetting(setting)) ?? Number.NaN);
  // What a replica that lags behind did not show the last time is asked for again.
  const since = checked - fleet.timing.staleReadMs - OVERLAP_MS;
  const issues = await (Number.isFinite(since)
    ? repository.loadLabeledIssues(LABEL, since)
    : repository.loadLabeledIssues(LABEL));
  let found = 0;
  for (const issue of issues) if (await offer(fleet, repository, issue)) found += 1;
  await fleet.store.putSetting(setting, `${now}`);
  return found;
}

/** @returns whether nobody has answered the label yet. */
async function offer(fleet: Fleet, repository: RepositoryPort, issue: number): Promise<boolean> {
  const { ref } = repository;
  const runs = await fleet.store.loadRunsOfIssue(ref.id, issue);
  if (runs.some((run) => run.status === "open")) return false;
  const labeling = await repository.loadLabeling(issue, LABEL);
  if (labeling === null) return false;
  // After a run the intake looks itself, once replicas agree on how that run ended.
  if (runs.length === 0 && (await isLabelAnswered(repository, issue, labeling))) return false;
  const { login, bot } = labeling.by;
  fleet.log.info({ repository: `${ref.owner}/${ref.name}`, issue, by: login }, "found a label no webhook told of");
  // Its webhook may have failed and come yet: the text it holds proves more than what can be read here.
  const at = fleet.clock.now() + fleet.timing.staleReadMs;
  await fleet.store.putDue(formatDueKey({ kind: "intake", repositoryId: ref.id, issue }), at, [
    formatIntakeHint({ by: login, bot, text: null, repository: toIdentity(ref) }),
  ]);
  return true;
}

function toIdentity({ id, owner, name, installationId }: RepositoryRef): RepositoryRef {
  return { id, owner, name, installationId };
}
