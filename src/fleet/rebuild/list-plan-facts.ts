import { capturesSchema } from "../../contracts/captures.ts";
import { parseTrailer } from "../../contracts/commit-message.ts";
import type { ChunkId, JobId } from "../../contracts/ids.ts";
import { planDraftSchema } from "../../contracts/plan-draft.ts";
import type { Plan } from "../../contracts/plan.ts";
import type { DraftPlan, Fact, RunStarted } from "../../engine/fact.ts";
import type { Commit, RepositoryPort } from "../../github/port.ts";
import { parsePlan } from "../../plan/parse-plan.ts";
import { formatPlanHash } from "../../plan/plan-hash.ts";
import type { Fleet } from "../context.ts";
import { listNotes, listUnconfigured } from "../results/baseline.ts";
import { loadEvidence } from "./load-evidence.ts";
import { PLAN_HASH_TRAILER } from "../own-commits/plan-commit.ts";
import type { History } from "./load-history.ts";

/** No run dispatches more jobs of one subject than this, so numbers above it are fresh. */
export const COUNT_BASE = 1_000;

/** Plans and landings in the order of their commits, and the baseline they are measured against. */
export async function listPlanFacts(
  fleet: Pick<Fleet, "store">,
  repository: RepositoryPort,
  started: RunStarted,
  history: History,
): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  let newest: Extract<Fact, { kind: "PlanCommitted" }> | null = null;
  for (const commit of history.own) {
    if (parseTrailer(commit.message, PLAN_HASH_TRAILER) !== null) {
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
  const place = { run: started.run, file: { kind: "plan", revision: rev }, commit: commit.sha } as const;
  const { plan, draft } = (await loadEvidence(repository, place, (text) => readPlan(text, started))).value;
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

function readPlan(text: string, { title }: RunStarted): { readonly plan: Plan; readonly draft: DraftPlan } {
  const { plan, problems } = parsePlan(text);
  if (plan === null) throw new Error(problems[0]?.message ?? "not valid");
  const draft = planDraftSchema.parse({
    kind: "plan",
    triage: plan.chunks.length === 1 ? "simple" : "complex",
    title: title.slice(0, 300),
    goal: title,
    // What the planner doubted is not committed as data: a person looks before anything is approved by policy.
    task_brief: { ambiguities: ["What the planner found ambiguous was lost with the App's database."] },
    chunks: plan.chunks,
    acceptance: plan.acceptance,
  }) as DraftPlan;
  return { plan, draft };
}

async function loadBaseline(
  fleet: Pick<Fleet, "store">,
  repository: RepositoryPort,
  started: RunStarted,
  commit: Commit,
  plan: Plan,
): Promise<Fact> {
  const place = { run: started.run, file: { kind: "baseline", revision: 1 }, commit: commit.sha } as const;
  // Without a baseline nothing can be compared.
  const { text, value: captures } = await loadEvidence(repository, place, (found) =>
    capturesSchema.parse(JSON.parse(found)),
  );
  const document = await fleet.store.putDocument(text);
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
