/** Skills and MCP servers of an agent, from the default branch's tree: never from the change it works on. */
import path from "node:path";
import type { AgentRole } from "../../contracts/agent-request.ts";
import type { AgentConfig, McpConfig } from "../../contracts/config.ts";
import { ASK_A_PERSON } from "../../contracts/job.ts";
import { exportTree } from "../git/export-tree.ts";
import type { ObjectStore } from "../git/object-store.ts";
import { GitError } from "../git/run-git.ts";
import type { McpServer } from "../presets/preset.ts";
import { type JobContext, JobStopped } from "./job-context.ts";

export interface Equipment {
  /** Names; each lies as a folder of its own in the preset's folder of skills. */
  readonly skills: readonly string[];
  readonly mcps: readonly McpServer[];
}

const NOTHING: Equipment = { skills: [], mcps: [] };

/** Whether the agent needs the default branch's tree for its servers. */
export function needsTools(context: JobContext, agent: AgentConfig, role: AgentRole): boolean {
  return listServers(context, agent, role).some(({ server }) =>
    [server.command, ...server.args].some((part) => part.includes("{tools}")),
  );
}

/**
 * Only an implementer is equipped: who plans or judges sees the task and the files and nothing that could act.
 * @param skillsFolder absolute; outside the tree.
 * @param tools where the default branch's tree was put; null when nothing asks for it.
 */
export async function equipAgent(
  context: JobContext,
  store: ObjectStore,
  agent: AgentConfig,
  role: AgentRole,
  places: { readonly skillsFolder: string; readonly tools: string | null },
): Promise<Equipment> {
  if (role !== "implement") return NOTHING;
  for (const name of agent.skills) await placeSkill(context, store, name, path.join(places.skillsFolder, name));
  const mcps = listServers(context, agent, role).map(({ name, server }): McpServer => {
    const expand = (part: string): string => part.replaceAll("{tools}", places.tools ?? "");
    return {
      name,
      command: expand(server.command),
      args: server.args.map(expand),
      env: Object.fromEntries(server.env.map((variable) => [variable, readVariable(context, name, variable)])),
    };
  });
  return { skills: agent.skills, mcps };
}

function listServers(
  context: JobContext,
  agent: AgentConfig,
  role: AgentRole,
): ReadonlyArray<{ readonly name: string; readonly server: McpConfig }> {
  if (role !== "implement") return [];
  return agent.mcps.map((name) => {
    const server = context.config.mcps[name];
    if (server === undefined) throw new JobStopped(`the configuration has no MCP server "${name}"`, ASK_A_PERSON);
    return { name, server };
  });
}

async function placeSkill(context: JobContext, store: ObjectStore, name: string, target: string): Promise<void> {
  const folder = context.config.skills[name];
  const commit = context.request.tools;
  if (folder === undefined) throw new JobStopped(`the configuration has no skill "${name}"`, ASK_A_PERSON);
  if (commit === undefined) throw new JobStopped(`the skill "${name}" needs a commit, and the request names none`);
  try {
    // Links as plain files: nothing in the folder leads out of it.
    await exportTree(store, `${commit}:${folder}`, target, "text");
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new JobStopped(`the folder \`${folder}\` of the skill "${name}" is not on the default branch`, ASK_A_PERSON);
  }
}

function readVariable(context: JobContext, server: string, variable: string): string {
  const value = context.env[variable] ?? "";
  if (value === "")
    throw new JobStopped(
      `the MCP server "${server}" needs ${variable}: hand it to the step with \`mode: run\` in .github/workflows/taskfleet.yml`,
      ASK_A_PERSON,
    );
  context.addSecret(variable, value);
  return value;
}
