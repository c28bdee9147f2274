import { buildGraph, type ChunkGraph, type GraphNode } from "../graph/build-graph.ts";
import { ancestors } from "../graph/descendants.ts";
import { formatFound, type ProblemList } from "../problem-list.ts";
import { suggestNearest } from "../suggest-nearest.ts";
import { checkAcyclic } from "./check-deps.ts";
import { checkIds } from "./check-ids.ts";
import { checkBranch } from "./check-feature.ts";

/** An agent as far as its shape is sound. */
export interface SoundAgent {
  readonly role?: string;
  readonly depends_on?: string | readonly (string | undefined)[] | null;
  readonly worktree?: string | null;
}

/** Room for an agent's name and a chunk's id. */
const maxRoleLength = 250;

export const synthesizer = "synthesizer";

/** Roles are unique, depend on existing ones without a cycle, and the synthesizer ends the run. */
export function checkAgents(agents: readonly (SoundAgent | undefined)[], problems: ProblemList): void {
  const roles = agents.map((agent) => agent?.role);
  const graph = buildGraph(
    agents.map((agent, index): GraphNode => ({ id: agent?.role ?? `\0${index}`, deps: listDeps(agent) })),
  );
  checkIds(roles, { list: "agents", key: "role", noun: "role", maxLength: maxRoleLength }, problems);
  checkRolesExist(agents, graph, problems);
  checkAcyclic(graph, "agents", "depends_on", problems);
  checkSynthesizer(roles, graph, hasBrokenDeps(agents, graph), problems);
  for (const [index, agent] of agents.entries()) {
    if (typeof agent?.worktree === "string") checkBranch(agent.worktree, ["agents", index, "worktree"], problems);
  }
}

function listDeps(agent: SoundAgent | undefined): readonly string[] {
  const deps = agent?.depends_on ?? [];
  return typeof deps === "string" ? [deps] : deps.filter((dep) => dep !== undefined);
}

function hasBrokenDeps(agents: readonly (SoundAgent | undefined)[], graph: ChunkGraph): boolean {
  return agents.some((agent) => {
    const deps = agent?.depends_on;
    if (deps === undefined || (Array.isArray(deps) && deps.includes(undefined))) return true;
    return listDeps(agent).some((dep) => !graph.indexOf.has(dep));
  });
}

function checkRolesExist(agents: readonly (SoundAgent | undefined)[], graph: ChunkGraph, problems: ProblemList): void {
  const known = agents.flatMap((agent) => agent?.role ?? []);
  for (const [index, agent] of agents.entries()) {
    for (const [position, dep] of listDeps(agent).entries()) {
      if (graph.indexOf.has(dep)) continue;
      const path = ["agents", index, "depends_on", ...(typeof agent?.depends_on === "string" ? [] : [position])];
      const found = formatFound(dep);
      const hint = suggestNearest(dep, known);
      const message = `role ${formatFound(agent?.role)} depends on ${found}, which is no role of this plan${hint}`;
      problems.add(path, "role-unknown", {
        message,
        found,
        allowed: `the role of an agent: ${known.slice(0, 10).join(", ")}`,
      });
    }
  }
}

/**
 * The synthesizer is the last entry, not the only one, and waits for every other role, be it
 * through others.
 */
function checkSynthesizer(
  roles: readonly (string | undefined)[],
  graph: ChunkGraph,
  brokenDeps: boolean,
  problems: ProblemList,
): void {
  const last = roles.length - 1;
  const position = roles.indexOf(synthesizer);
  if (position === -1) {
    // An unreadable role may be the synthesizer with another mistake in it.
    if (roles.includes(undefined) || roles.length === 0) return;
    const message = `no agent has the role "${synthesizer}"; it must be the last entry of agents`;
    problems.add(["agents"], "synthesizer-missing", {
      message,
      found: roles.slice(0, 10).join(", "),
      allowed: `"${synthesizer}" as the last role`,
    });
    return;
  }
  if (position !== last) {
    const message = `the ${synthesizer} stands at agents[${position}]; it runs last and must be the last entry`;
    problems.add(["agents", position], "synthesizer-last", {
      message,
      found: `entry ${position + 1} of ${roles.length}`,
      allowed: "the last entry",
    });
  }
  if (roles.length === 1) {
    const message = `the ${synthesizer} is the only agent; there must be one whose work it sums up`;
    problems.add(["agents"], "synthesizer-alone", { message, found: "one agent", allowed: "at least one other agent" });
    return;
  }
  // A name that leads nowhere is reported itself; what it would have reached nobody knows.
  if (brokenDeps) return;
  const reached = ancestors(graph, synthesizer);
  const missed = [...new Set(roles)].filter((role) => role !== undefined && role !== synthesizer && !reached.has(role));
  if (missed.length === 0) return;
  const found = missed.slice(0, 10).join(", ");
  problems.add(["agents", position, "depends_on"], "synthesizer-reach", {
    message: `the ${synthesizer} does not wait for ${found}${missed.length > 10 ? ` and ${missed.length - 10} more` : ""}`,
    found: `no way from the ${synthesizer} to ${found}`,
    allowed: "every other role, directly or through others",
  });
}
