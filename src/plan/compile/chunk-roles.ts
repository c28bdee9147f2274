import { listCriteria } from "../../contracts/criteria.ts";
import type { AgentModel, AgentRole, TaskBrief } from "../../contracts/execution-plan.ts";
import type { Chunk, Plan } from "../../contracts/plan.ts";
import { buildGraph } from "../graph/build-graph.ts";
import { topologicalOrder } from "../graph/topological-order.ts";
import { transitiveReduction } from "../graph/transitive-reduction.ts";
import type { CompileContext, RegisteredAgent } from "./compile-context.ts";
import { deriveAssignments } from "./derive-assignments.ts";
import { RoleNames } from "./role-names.ts";

export interface ChunkRoles {
  readonly roles: readonly AgentRole[];
  /** The reviewers nothing else waits for. */
  readonly last: readonly string[];
}

/** An implementer and a reviewer for each chunk, in topological order; a chunk waits for its deps' reviews. */
export function compileChunkRoles(
  plan: Plan,
  context: CompileContext,
  brief: TaskBrief,
  reserved: readonly string[],
): ChunkRoles {
  const graph = buildGraph(plan.chunks);
  const deps = transitiveReduction(graph);
  const agents = deriveAssignments(plan.chunks, context.agents, context.assignments);
  const names = new RoleNames(reserved);
  const reviewOf = new Map<string, string>();
  const awaited = new Set<string>();
  const roles: AgentRole[] = [];
  for (const id of topologicalOrder(graph)) {
    const chunk = plan.chunks[graph.indexOf.get(id)!]!;
    const agent = agents.get(id) ?? null;
    const waits = deps.get(id)!.map((dep) => reviewOf.get(dep)!);
    for (const role of waits) awaited.add(role);
    const implementer = names.take(`${agent?.name ?? "unassigned"}--${id}`);
    const reviewer = names.take(`review--${id}`);
    reviewOf.set(id, reviewer);
    roles.push({
      role: implementer,
      model: context.models[chunk.tier],
      skills: agent?.skills ?? [],
      mcps: agent?.mcps ?? [],
      depends_on: waits.length === 0 ? null : waits,
      worktree: `${context.chunkBranchPrefix}${id}`,
      context: describeWork(chunk, agent, plan.plan_rev, context),
    });
    roles.push({
      role: reviewer,
      model: chooseReviewModel(chunk, context, brief),
      skills: [],
      mcps: [],
      depends_on: implementer,
      worktree: null,
      context: describeReview(chunk, plan.plan_rev),
    });
  }
  return { roles, last: [...reviewOf.values()].filter((role) => !awaited.has(role)) };
}

/** A reviewer is never weaker than the implementer, and the strongest where the task is complex. */
function chooseReviewModel(chunk: Chunk, context: CompileContext, brief: TaskBrief): AgentModel {
  if (brief.complexity === "high" || chunk.tier === "high") return context.models.high;
  return context.models.mid;
}

function describeWork(chunk: Chunk, agent: RegisteredAgent | null, planRev: number, context: CompileContext): string {
  const criteria = listCriteria(chunk);
  const lines = [
    `Build chunk ${chunk.id} of plan revision ${planRev}: ${chunk.title}`,
    `Files: ${chunk.files_touched.join(", ")}`,
    `Done when: ${criteria.join("; ")}`,
  ];
  if ((chunk.deps ?? []).length > 0)
    lines.push(`Builds on: ${chunk.deps!.join(", ")} (their summaries are handed over)`);
  if (chunk.requires_tests === true) lines.push("Must add or change a test.");
  for (const stop of context.checkpoints ?? []) {
    if (stop.after === chunk.id) lines.push(`CRITICAL: a person looks after this chunk: ${stop.reason}`);
  }
  if (agent === null)
    lines.push("CRITICAL: no agent fits this chunk; nothing starts until a person takes it, assigns it or skips it.");
  return lines.join("\n");
}

function describeReview(chunk: Chunk, planRev: number): string {
  const criteria = listCriteria(chunk);
  return [
    `Judge chunk ${chunk.id} of plan revision ${planRev} (${chunk.title}) against its ${criteria.length === 1 ? "criterion" : `${criteria.length} criteria`} on a passed floor.`,
    "Sees the brief, the criteria and the diff, nothing else; every judgement needs its place in the code.",
  ].join("\n");
}
