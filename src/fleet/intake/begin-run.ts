/** A label was set: may this person start a run here, and is everything in place? */
import { createHash } from "node:crypto";
import { GitHubFailure } from "../../contracts/errors.ts";
import { formatRunId, formatRunKey, readRunKey, type RunKey, type Sha } from "../../contracts/ids.ts";
import { LABEL } from "../../contracts/names.ts";
import { sanitiseIntent } from "../../contracts/sanitise.ts";
import type { GivenPlan, RunStarted } from "../../engine/fact.ts";
import { formatFactKey } from "../../engine/fact-key.ts";
import type { Issue, RepositoryPort } from "../../github/port.ts";
import { renderConfigProblems } from "../../messages/config-comment.ts";
import { renderEditedComment } from "../../messages/edited-comment.ts";
import { renderPreflightComment } from "../../messages/preflight-comment.ts";
import { renderStrangerComment } from "../../messages/stranger-comment.ts";
import type { RunRecord } from "../../store/port.ts";
import { StoreFailure } from "../../store/store-failure.ts";
import type { Fleet } from "../context.ts";
import { formatDueKey } from "../loop/due-key.ts";
import { mayCommand } from "../may-command.ts";
import { postOnce } from "../post-once.ts";
import { TakenOver } from "../taken-over.ts";
import { isLabelAnswered } from "./is-label-answered.ts";
import { formatIntakeHint, type IntakeHint } from "./intake-hint.ts";
import { buildEditedMarker, judgeLabel } from "./judge-label.ts";
import { loadGivenPlan } from "./load-given-plan.ts";
import { listToldRuns } from "./list-told-runs.ts";
import { loadConfig } from "./load-config.ts";
import { checkPreflight } from "./preflight.ts";
import { waitForEnd } from "./wait-for-end.ts";

export async function beginRun(fleet: Fleet, issueNumber: number, hint: IntakeHint): Promise<void> {
  const repository = fleet.github.repository(hint.repository);
  // Bots' labels start nothing: an App that labels what strangers write would be a way around the rule.
  if (hint.bot) return;
  const issue = await repository.loadIssue(issueNumber);
  if (issue === null || issue.state !== "open" || !issue.labels.some((label) => label.toLowerCase() === LABEL)) {
    await comeBackIfUnshown(fleet, issueNumber, hint);
    return;
  }
  if (issue.pullRequest) return;
  const former = await fleet.store.loadRunsOfIssue(hint.repository.id, issueNumber);
  const open = former.find((run) => run.status === "open");
  if (open !== undefined) {
    await waitForEnd(fleet, repository, open, hint);
    return;
  }
  if (issue.locked) {
    // Apps cannot comment on a locked issue, whatever their permissions (github.com/probot/stale/issues/25): nothing
    // could be asked or told there, this neither. Unlocking it changes the issue, and the label is found.
    const { owner, name } = hint.repository;
    fleet.log.warn({ repository: `${owner}/${name}`, issue: issueNumber }, "a label on a locked issue starts no run");
    return;
  }
  const last = former.at(-1);
  if (last !== undefined && !(await asksForAnother(fleet, repository, last, hint))) return;

  const label = await judgeLabel(fleet, repository, issue, hint);
  if (label.outcome === "later") await comeBack(fleet, issueNumber, hint, label.at);
  if (label.outcome !== "standing" || label.bot) return;
  const { by } = label;
  const intake = formatRunKey(issueNumber, 1, "intake");
  if (!mayCommand(await repository.loadRole(by))) {
    await postOnce(
      fleet,
      repository,
      issueNumber,
      { run: intake, key: `stranger:${by.toLowerCase()}` },
      renderStrangerComment(by, "label"),
    );
    return;
  }
  if (label.text !== "as-labeled") {
    const text = renderEditedComment(by, label.text);
    await postOnce(fleet, repository, issueNumber, buildEditedMarker(issueNumber, label.at), text);
    return;
  }
  const about = await repository.loadRepository();
  const config = await loadConfig(repository, about);
  if (config.outcome === "problems") {
    const text = renderConfigProblems(config.problems);
    await postOnce(fleet, repository, issueNumber, { run: intake, key: `config:${config.hash}` }, text);
    return;
  }
  const source = config.config.source ?? about.defaultBranch;
  const told = listToldRuns(await repository.loadComments(issueNumber), issueNumber, intake);
  const unknown = told.filter((key) => !former.some((record) => record.runKey === key));
  const sequence = Math.max(former.length, ...told.map((key) => readRunKey(key).sequence));
  const run = formatRunKey(issueNumber, sequence + 1, issue.title);
  const problems = await checkPreflight(repository, about, { run, unknown, source, config: config.config });
  if (problems.problems.length > 0) {
    const text = renderPreflightComment(problems.problems);
    await postOnce(fleet, repository, issueNumber, { run: intake, key: `preflight:${problems.hash}` }, text);
    return;
  }
  const intent = sanitiseIntent(issue.title, issue.body);
  const fork = await repository.loadBranch(source);
  if (fork === null) throw new GitHubFailure("transient", `GitHub does not show the branch ${source} any more.`);
  const loaded = await loadGivenPlan(repository, config.config.plan, { issue, intent, fork });
  if (loaded.outcome === "problem") {
    const hash = createHash("sha256").update(JSON.stringify(loaded.problem)).digest("hex").slice(0, 12);
    const text = renderPreflightComment([loaded.problem]);
    await postOnce(fleet, repository, issueNumber, { run: intake, key: `preflight:${hash}` }, text);
    return;
  }
  await createRun(fleet, repository, {
    hint,
    by,
    issue,
    run,
    source,
    fork,
    intent,
    given: loaded.given,
    about,
    config,
  });
}

/** What tells of a label may come after the run it began has ended; only one set since then asks for another run. */
async function asksForAnother(
  fleet: Fleet,
  repository: RepositoryPort,
  last: RunRecord,
  hint: IntakeHint,
): Promise<boolean> {
  const { issue } = last;
  const settledAt = (await loadLastFactTime(fleet, last)) + fleet.timing.staleReadMs;
  if (fleet.clock.now() < settledAt) {
    // A replica that lags behind would not show the report yet, and the label would seem unanswered.
    await comeBack(fleet, issue, hint, settledAt);
    return false;
  }
  const labeling = await repository.loadLabeling(issue, LABEL);
  if (labeling !== null && !(await isLabelAnswered(repository, issue, labeling))) return true;
  await comeBackIfUnshown(fleet, issue, hint);
  return false;
}

/**
 * A replica that lags behind need not show the label a webhook has told of. A later sweep would find it, but only the
 * webhook proves over which text it was set, and it comes once.
 */
async function comeBackIfUnshown(fleet: Fleet, issue: number, hint: IntakeHint): Promise<void> {
  if (hint.text === null) return;
  const shownAt = hint.text.at + fleet.timing.staleReadMs;
  if (fleet.clock.now() < shownAt) await comeBack(fleet, issue, hint, shownAt);
}

async function comeBack(fleet: Fleet, issue: number, hint: IntakeHint, at: number): Promise<void> {
  const key = formatDueKey({ kind: "intake", repositoryId: hint.repository.id, issue });
  await fleet.store.putDue(key, at, [formatIntakeHint(hint)]);
}

async function loadLastFactTime(fleet: Fleet, run: RunRecord): Promise<number> {
  const snapshot = await fleet.store.loadSnapshot(run);
  const facts = await fleet.store.loadFacts(run, Math.max(0, (snapshot?.seq ?? 0) - 1));
  return facts.at(-1)?.at ?? run.createdAt;
}

interface Beginning {
  readonly hint: IntakeHint;
  /** Whose label it is. */
  readonly by: string;
  readonly issue: Issue;
  readonly run: RunKey;
  readonly source: string;
  readonly fork: Sha;
  readonly intent: string;
  readonly given: GivenPlan | null;
  readonly about: Awaited<ReturnType<RepositoryPort["loadRepository"]>>;
  readonly config: Extract<Awaited<ReturnType<typeof loadConfig>>, { outcome: "read" }>;
}

async function createRun(fleet: Fleet, repository: RepositoryPort, beginning: Beginning): Promise<void> {
  const { hint, by, issue, run, source, fork, intent, given, about, config } = beginning;
  const tools = source === about.defaultBranch ? fork : await repository.loadBranch(about.defaultBranch);
  if (tools === null)
    throw new GitHubFailure("transient", `GitHub does not show the branch ${about.defaultBranch} any more.`);
  const now = fleet.clock.now();
  const day = new Date(now).toISOString().slice(0, 10);
  const number = await fleet.store.takeRunNumber(hint.repository.id, day);
  const fact: RunStarted = {
    kind: "RunStarted",
    run,
    runId: formatRunId(day, number),
    repository: { id: about.id, owner: about.owner, name: about.name, url: about.url },
    issue: issue.number,
    title: issue.title,
    actor: by,
    source,
    fork,
    defaultBranch: about.defaultBranch,
    tools,
    config: config.config,
    configBlob: config.blob,
    ...(config.text === null ? {} : { configText: config.text }),
    intent,
    related: await loadRelated(repository, issue.number),
    ...(given === null ? {} : { given }),
  };
  const record = {
    repositoryId: about.id,
    runKey: run,
    installationId: hint.repository.installationId,
    owner: about.owner,
    name: about.name,
    issue: issue.number,
    status: "open" as const,
    createdAt: now,
  };
  try {
    await fleet.store.createRun(record, [{ key: formatFactKey(fact), at: now, fact: JSON.stringify(fact) }]);
  } catch (error) {
    // Another process has begun a run of this name meanwhile: whether this label wants a further one is asked anew.
    if (error instanceof StoreFailure && error.kind === "exists") throw new TakenOver({ cause: error });
    throw error;
  }
  await fleet.store.putDue(formatDueKey({ kind: "run", address: record }), now, ["sweep"]);
  fleet.log.info({ run, repository: `${about.owner}/${about.name}`, issue: issue.number, by }, "a run begins");
}

/** Existing work that may touch the same ground, for the planner and for people. */
async function loadRelated(repository: RepositoryPort, issue: number): Promise<RunStarted["related"]> {
  const pulls = await repository.loadOpenPulls();
  return pulls
    .filter((pull) => pull.number !== issue)
    .slice(0, 20)
    .map(({ number, title, url }) => ({ number, title, url }));
}
