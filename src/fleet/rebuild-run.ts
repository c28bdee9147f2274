/**
 * Reads a run back from GitHub after the store was lost: its branch, the committed plans, the landings,
 * the pull requests and our own comments. What GitHub does not show is not made up; people are asked.
 */
import { UserError } from "../contracts/errors.ts";
import { type ChunkId, isRunId, readRunKey, type RunId, type RunKey, type Sha } from "../contracts/ids.ts";
import { formatBlobName } from "../contracts/blob-name.ts";
import { formatBranch, LABEL, parseMarker } from "../contracts/names.ts";
import type { Fact, RunStarted } from "../engine/fact.ts";
import { formatFactKey } from "../engine/fact-key.ts";
import { foldAll } from "../engine/fold.ts";
import type { RepositoryPort, RepositoryRef } from "../github/port.ts";
import type { Fleet } from "./context.ts";
import { holds } from "./observe/observe-pull.ts";
import { formatDueKey } from "./loop/due-key.ts";
import { COUNT_BASE, listPlanFacts } from "./rebuild/list-plan-facts.ts";
import { loadEvidence } from "./rebuild/load-evidence.ts";
import { type History, loadHistory } from "./rebuild/load-history.ts";
import { loadFormerConfig } from "./intake/load-former-config.ts";
import { loadGivenPlan } from "./intake/load-given-plan.ts";

/** What reading back needs of the shell. */
export type RebuildParts = Pick<Fleet, "github" | "store" | "clock" | "reads">;

export interface Rebuilt {
  readonly run: RunKey;
  readonly revisions: number;
  readonly landed: readonly string[];
}

/** @throws UserError when there is nothing to read back, or nothing that can be read, or the run is known already. */
export async function rebuildRun(fleet: RebuildParts, ref: RepositoryRef, run: RunKey): Promise<Rebuilt> {
  if ((await fleet.store.loadRun({ repositoryId: ref.id, runKey: run })) !== null)
    throw new UserError(`The run ${run} is in the store already.`);
  const repository = fleet.reads.wrap(fleet.github.repository(ref));
  const branch = formatBranch({ kind: "integration", run });
  const tip = await repository.loadBranch(branch);
  if (tip === null) throw new UserError(`There is no branch ${branch}: the run has ended, or never was.`);
  const history = await loadHistory(repository, tip, run);
  const started = await buildStart(fleet, repository, run, history);
  const now = fleet.clock.now();
  const facts: Fact[] = [
    started,
    { kind: "IntegrationCreated", commit: history.own[0]?.sha ?? tip, intentBlob: formatBlobName(started.intent) },
  ];
  facts.push(...(await listPlanFacts(fleet, repository, started, history)));
  requireFoldable(facts, now);
  facts.push(...(await listConversationFacts(repository, started, { known: facts, tip })));
  facts.push({ kind: "RunRebuilt", countBase: COUNT_BASE });
  const record = {
    repositoryId: ref.id,
    runKey: run,
    installationId: ref.installationId,
    owner: ref.owner,
    name: ref.name,
    issue: started.issue,
    status: "open" as const,
    createdAt: now,
  };
  await fleet.store.createRun(
    record,
    facts.map((fact) => ({ key: formatFactKey(fact), at: now, fact: JSON.stringify(fact) })),
  );
  await fleet.store.putDue(formatDueKey({ kind: "run", address: record }), now, ["sweep"]);
  return {
    run,
    revisions: facts.filter((fact) => fact.kind === "PlanCommitted").length,
    landed: facts.flatMap((fact) => (fact.kind === "ChunksLanded" ? fact.chunks : [])),
  };
}

/** A run that the engine cannot take up would be in its way from then on: it is refused before anything is changed. */
function requireFoldable(facts: readonly Fact[], at: number): void {
  try {
    foldAll(facts.map((fact, index) => ({ seq: index + 1, at, fact })));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new UserError(`What is committed of the run does not fit together (${said}): it cannot be read back.`);
  }
}

async function buildStart(
  fleet: RebuildParts,
  repository: RepositoryPort,
  run: RunKey,
  history: History,
): Promise<RunStarted> {
  const about = await repository.loadRepository();
  const config = await loadFormerConfig(repository, about, { run, commit: history.own[0]?.sha ?? history.fork });
  const source = config.config.source ?? about.defaultBranch;
  const tools = await repository.loadBranch(about.defaultBranch);
  const { issue: number } = readRunKey(run);
  const issue = await repository.loadIssue(number);
  const [first] = history.own;
  if (first === undefined) throw new UserError(`No commit of the branch is ours: there is nothing to read.`);
  if (issue === null) throw new UserError(`Its issue #${number} is gone: nobody can be asked.`);
  if (tools === null) throw new UserError(`The default branch ${about.defaultBranch} is not there.`);
  const intent = await loadEvidence(
    repository,
    { run, file: { kind: "intent", revision: 1 }, commit: first.sha },
    (text) => text,
  );
  const now = fleet.clock.now();
  const order = await loadEvidence(
    repository,
    { run, file: { kind: "execution-plan", revision: 0 }, commit: first.sha },
    (text) => readRunId(text, now),
  );
  const labeling = await repository.loadLabeling(number, LABEL);
  const given = await loadGivenPlan(repository, config.config.plan, { issue, intent: intent.text, fork: history.fork });
  return {
    kind: "RunStarted",
    run,
    runId: order.value,
    repository: { id: about.id, owner: about.owner, name: about.name, url: about.url },
    issue: number,
    title: issue.title,
    actor: labeling?.by.login ?? issue.author.login,
    source,
    fork: history.fork,
    defaultBranch: about.defaultBranch,
    tools,
    config: config.config,
    configBlob: config.blob,
    ...(config.configText === undefined ? {} : { configText: config.configText }),
    intent: intent.text,
    related: [],
    // Whose plan it is decides who must approve it.
    ...(given.outcome === "loaded" && given.given !== null ? { given: given.given } : {}),
  };
}

function readRunId(text: string, now: number): RunId {
  const value = JSON.parse(text) as { readonly run_id?: unknown } | null;
  const id =
    typeof value?.run_id === "string" && isRunId(value.run_id)
      ? value.run_id
      : `${new Date(now).toISOString().slice(0, 10)}-000`;
  return id as RunId;
}

/** Pull requests and comments of ours, so that none is opened or posted again. */
async function listConversationFacts(
  repository: RepositoryPort,
  started: RunStarted,
  { known, tip }: { readonly known: readonly Fact[]; readonly tip: Sha },
): Promise<readonly Fact[]> {
  const { run } = started;
  const facts: Fact[] = [];
  const integration = formatBranch({ kind: "integration", run });
  const [feature] = await repository.loadPullsByHead(integration);
  if (feature !== undefined)
    facts.push({
      kind: "FeaturePullOpened",
      effect: "feature-pull",
      number: feature.number,
      nodeId: feature.nodeId,
      url: feature.url,
    });
  const numbers = [started.issue, ...(feature === undefined ? [] : [feature.number])];
  const landed = new Set(known.flatMap((fact) => (fact.kind === "ChunksLanded" ? fact.chunks : [])));
  const approval = findMissingApproval(known);
  for (const chunk of listChunks(known)) {
    for (const pull of [...(await repository.loadPullsByHead(formatBranch({ kind: "chunk", run, chunk })))].reverse()) {
      // Merged into another branch, or removed again, it has not landed.
      const isIn = pull.merged && pull.base.ref === integration && (await holds(repository, tip, pull));
      if (!landed.has(chunk) && !isIn) {
        // It is built anew and its attempts are counted anew: what was said of the former ones stays with them.
        if (pull.state === "open") await repository.updatePull(pull.number, { state: "closed" });
        continue;
      }
      numbers.push(pull.number);
      if (isIn && approval !== null && !facts.includes(approval)) facts.push(approval);
      facts.push({ kind: "ChunkPullOpened", effect: `pull:${chunk}`, chunk, number: pull.number, url: pull.url });
      if (pull.merged) facts.push({ kind: "PullSettled", number: pull.number, outcome: "merged" });
    }
  }
  for (const number of numbers) {
    for (const comment of await repository.loadComments(number)) {
      const marker = comment.own ? parseMarker(comment.body) : null;
      if (marker?.run === run)
        facts.push({
          kind: "CommentPosted",
          effect: `comment:${marker.key}`,
          key: marker.key,
          id: comment.id,
          url: comment.url,
        });
    }
  }
  return facts;
}

/**
 * Somebody had approved what a person merged a chunk of, also where nothing of ours has landed. Of several revisions
 * GitHub does not show which one that was: people are asked.
 */
function findMissingApproval(known: readonly Fact[]): Fact | null {
  const [first, ...others] = known.filter((fact) => fact.kind === "PlanCommitted");
  if (first === undefined || others.length > 0 || known.some((fact) => fact.kind === "PlanApproved")) return null;
  const why = "a chunk of it had been merged before the store was lost";
  return { kind: "PlanApproved", rev: first.rev, hash: first.hash, by: "policy", why };
}

function listChunks(known: readonly Fact[]): readonly ChunkId[] {
  const newest = known.findLast((fact) => fact.kind === "PlanCommitted");
  return newest?.kind === "PlanCommitted" ? newest.plan.chunks.map((chunk) => chunk.id as ChunkId) : [];
}
