/**
 * Reads a run back from GitHub after the store was lost: its branch, the committed plans, the landings,
 * the pull requests and our own comments. What GitHub does not show is not made up; people are asked.
 */
import { capturesSchema } from "../contracts/captures.ts";
import { UserError } from "../contracts/errors.ts";
import { parseTrailer } from "../contracts/commit-message.ts";
import { type ChunkId, isRunId, type JobId, readRunKey, type RunId, type RunKey, type Sha } from "../contracts/ids.ts";
import { formatBlobName } from "../contracts/blob-name.ts";
import { formatBranch, formatEvidencePath, LABEL, parseMarker } from "../contracts/names.ts";
import type { Plan } from "../contracts/plan.ts";
import { planDraftSchema } from "../contracts/plan-draft.ts";
import type { DraftPlan, Fact, RunStarted } from "../engine/fact.ts";
import { formatFactKey } from "../engine/fact-key.ts";
import type { Commit, RepositoryPort, RepositoryRef } from "../github/port.ts";
import { parsePlan } from "../plan/parse-plan.ts";
import { formatPlanHash } from "../plan/plan-hash.ts";
import type { Fleet } from "./context.ts";
import { formatDueKey } from "./loop/due-key.ts";
import { loadFormerConfig } from "./intake/load-former-config.ts";
import { loadGivenPlan } from "./intake/load-given-plan.ts";
import { listNotes, listUnconfigured } from "./results/baseline.ts";

/** No run dispatches more jobs of one subject than this, so numbers above it are fresh. */
const COUNT_BASE = 1_000;
const MAX_HISTORY = 5_000;

/** What reading back needs of the shell. */
export type RebuildParts = Pick<Fleet, "github" | "store" | "clock" | "reads">;

export interface Rebuilt {
  readonly run: RunKey;
  readonly revisions: number;
  readonly landed: readonly string[];
}

/** @throws UserError when there is nothing to read back, or the run is known already. */
export async function rebuildRun(fleet: RebuildParts, ref: RepositoryRef, run: RunKey): Promise<Rebuilt> {
  if ((await fleet.store.loadRun({ repositoryId: ref.id, runKey: run })) !== null)
    throw new UserError(`The run ${run} is in the store already.`);
  const repository = fleet.reads.wrap(fleet.github.repository(ref));
  const branch = formatBranch({ kind: "integration", run });
  const tip = await repository.loadBranch(branch);
  if (tip === null) throw new UserError(`There is no branch ${branch}: the run has ended, or never was.`);
  const history = await loadHistory(repository, tip, run);
  const started = await buildStart(fleet, repository, run, history);
  const facts: Fact[] = [
    started,
    { kind: "IntegrationCreated", commit: history.own[0]?.sha ?? tip, intentBlob: formatBlobName(started.intent) },
  ];
  facts.push(...(await listPlanFacts(fleet, repository, started, history)));
  facts.push(...(await listConversationFacts(repository, started, facts)));
  facts.push({ kind: "RunRebuilt", countBase: COUNT_BASE });
  const now = fleet.clock.now();
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

interface History {
  readonly fork: Sha;
  /** Our commits on the integration branch, oldest first. */
  readonly own: readonly Commit[];
}

/** The first parents of the tip, down to the first commit that is not ours. */
async function loadHistory(repository: RepositoryPort, tip: Sha, run: RunKey): Promise<History> {
  const own: Commit[] = [];
  let sha = tip;
  for (let count = 0; count < MAX_HISTORY; count += 1) {
    const commit = await repository.loadCommit(sha);
    const [parent] = commit.parents;
    if (parseTrailer(commit.message, "Taskfleet-Run") !== run || parent === undefined) {
      // What somebody else pushed on top of ours is skipped over; below ours, the fork begins.
      if (own.length > 0 || parent === undefined) return { fork: sha, own: own.reverse() };
    } else own.push(commit);
    sha = parent;
  }
  throw new UserError(`The history of run ${run} is longer than ${MAX_HISTORY} commits.`);
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
  const intent =
    first === undefined
      ? null
      : await repository.loadFile(formatEvidencePath(run, { kind: "intent", revision: 1 }), first.sha);
  const order =
    first === undefined
      ? null
      : await repository.loadFile(formatEvidencePath(run, { kind: "execution-plan", revision: 0 }), first.sha);
  if (issue === null || tools === null || intent === null || order === null)
    throw new UserError(`The evidence of run ${run} is not complete on its branch: it cannot be read back.`);
  const labeling = await repository.loadLabeling(number, LABEL);
  const given = await loadGivenPlan(repository, config.config.plan, { issue, intent: intent.text, fork: history.fork });
  return {
    kind: "RunStarted",
    run,
    runId: readRunId(order.text, fleet.clock.now()),
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
  const value = JSON.parse(text) as { readonly run_id?: unknown };
  const id =
    typeof value.run_id === "string" && isRunId(value.run_id)
      ? value.run_id
      : `${new Date(now).toISOString().slice(0, 10)}-000`;
  return id as RunId;
}

/** Plans and landings in the order of their commits, and the baseline they are measured against. */
async function listPlanFacts(
  fleet: RebuildParts,
  repository: RepositoryPort,
  started: RunStarted,
  history: History,
): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  let newest: Extract<Fact, { kind: "PlanCommitted" }> | null = null;
  for (const commit of history.own) {
    if (parseTrailer(commit.message, "Taskfleet-Plan-Hash") !== null) {
      const rev = (newest?.rev ?? 0) + 1;
      const committed = await loadRevision(repository, started, commit, rev);
      if (newest === null) facts.push(await loadBaseline(fleet, repository, started, commit, committed.plan));
      newest = committed;
      facts.push(committed);
      continue;
    }
    const chunks = parseTrailer(commit.message, "Taskfleet-Chunks");
    if (chunks === null || newest === null) continue;
    // Something of it has landed, so somebody had approved it.
    if (!facts.some((fact) => fact.kind === "PlanApproved" && fact.rev === newest?.rev))
      facts.push({
        kind: "PlanApproved",
        rev: newest.rev,
        hash: newest.hash,
        by: "policy",
        why: "chunks of it had landed before the store was lost",
      });
    facts.push({
      kind: "ChunksLanded",
      chunks: chunks.split(" ") as ChunkId[],
      commit: commit.sha,
      tree: commit.tree,
      document: "",
      via: "direct",
    });
  }
  const last = history.own.at(-1);
  if (last !== undefined && !facts.some((fact) => "commit" in fact && fact.commit === last.sha))
    facts.push({ kind: "TipMoved", sha: last.sha });
  return facts;
}

async function loadRevision(
  repository: RepositoryPort,
  started: RunStarted,
  commit: Commit,
  rev: number,
): Promise<Extract<Fact, { kind: "PlanCommitted" }>> {
  const path = formatEvidencePath(started.run, { kind: "plan", revision: rev });
  const file = await repository.loadFile(path, commit.sha);
  const parsed = file === null ? null : parsePlan(file.text);
  if (parsed === null || parsed.plan === null)
    throw new UserError(`${path} at ${commit.sha} is not there or not valid.`);
  const { plan } = parsed;
  const draft = planDraftSchema.parse({
    kind: "plan",
    triage: plan.chunks.length === 1 ? "simple" : "complex",
    title: started.title.slice(0, 300),
    goal: started.title,
    // What the planner doubted is not committed as data: a person looks before anything is approved by policy.
    task_brief: { ambiguities: ["What the planner found ambiguous was lost with the App's database."] },
    chunks: plan.chunks,
    acceptance: plan.acceptance,
  }) as DraftPlan;
  const agents = Object.fromEntries(
    plan.chunks.map((chunk) => [chunk.id, started.config.agents[0]?.name ?? "default"]),
  );
  return {
    kind: "PlanCommitted",
    rev,
    plan,
    hash: formatPlanHash(plan, started.intent),
    commit: commit.sha,
    draft,
    agents,
  };
}

async function loadBaseline(
  fleet: RebuildParts,
  repository: RepositoryPort,
  started: RunStarted,
  commit: Commit,
  plan: Plan,
): Promise<Fact> {
  const path = formatEvidencePath(started.run, { kind: "baseline", revision: 1 });
  const file = await repository.loadFile(path, commit.sha);
  if (file === null) throw new UserError(`${path} is not there: without a baseline nothing can be compared.`);
  const captures = capturesSchema.parse(JSON.parse(file.text));
  const document = await fleet.store.putDocument(file.text);
  const job = `${started.run}/baseline/${COUNT_BASE}` as JobId;
  return {
    kind: "BaselineBound",
    job,
    baseline: plan.baseline,
    document,
    unconfigured: listUnconfigured(captures),
    notes: listNotes(captures),
  };
}

/** Pull requests and comments of ours, so that none is opened or posted again. */
async function listConversationFacts(
  repository: RepositoryPort,
  started: RunStarted,
  known: readonly Fact[],
): Promise<readonly Fact[]> {
  const { run } = started;
  const facts: Fact[] = [];
  const [feature] = await repository.loadPullsByHead(formatBranch({ kind: "integration", run }));
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
  for (const chunk of listChunks(known)) {
    for (const pull of [...(await repository.loadPullsByHead(formatBranch({ kind: "chunk", run, chunk })))].reverse()) {
      if (!landed.has(chunk) && !pull.merged) {
        // It is built anew and its attempts are counted anew: what was said of the former ones stays with them.
        if (pull.state === "open") await repository.updatePull(pull.number, { state: "closed" });
        continue;
      }
      numbers.push(pull.number);
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

function listChunks(known: readonly Fact[]): readonly ChunkId[] {
  const newest = known.findLast((fact) => fact.kind === "PlanCommitted");
  return newest?.kind === "PlanCommitted" ? newest.plan.chunks.map((chunk) => chunk.id as ChunkId) : [];
}
