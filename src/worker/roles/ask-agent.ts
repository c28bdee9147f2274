/** Chooses the agent of a job, hands it the request and waits for its answer. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { AgentRequest, AgentRole } from "../../contracts/agent-request.ts";
import { type AgentConfig, listAgents } from "../../contracts/config.ts";
import { type AgentAnswer, runAgent } from "../agents/run-agent.ts";
import { formatAnswerSchema } from "../agents/answer-schema.ts";
import { exportTree } from "../git/export-tree.ts";
import type { ObjectStore } from "../git/object-store.ts";
import { buildPrompt, type DataBlock } from "../prompts/build-prompt.ts";
import { PRESETS } from "../presets/presets.ts";
import { equipAgent, needsTools } from "./equip-agent.ts";
import { type JobContext, JobStopped } from "./job-context.ts";

export interface Question {
  readonly role: AgentRole;
  readonly store: ObjectStore;
  /** Where the agent works. */
  readonly cwd: string;
  /** The role's own fields. */
  readonly fields: Omit<Partial<AgentRequest>, "v" | "role" | "job" | "commit" | "prompt" | "promptVersion">;
  readonly blocks: readonly DataBlock[];
  /** See PromptInput. */
  readonly start?: string;
}

export type Asked = AgentAnswer & { readonly promptVersion: string };

export async function askAgent(context: JobContext, question: Question): Promise<Asked> {
  const { request } = context;
  const agent = findAgent(context, question.role);
  const prompt = buildPrompt({
    role: question.role,
    job: request.job,
    commit: request.commit,
    ...(request.lens === undefined ? {} : { lens: request.lens }),
    schema: formatAnswerSchema(question.role),
    ...(question.start === undefined ? {} : { start: question.start }),
    blocks: question.blocks,
  });
  const home = path.join(context.scratch, "home");
  await mkdir(home, { recursive: true });
  const tools = await exportTools(context, question, agent);
  const skillsFolder = path.join(home, PRESETS[agent.preset].skillsFolder);
  const answer = await runAgent({
    request: {
      v: 1,
      role: question.role,
      job: request.job,
      commit: request.commit,
      prompt: prompt.text,
      promptVersion: prompt.version,
      ...question.fields,
    },
    agent,
    model: request.model ?? "",
    cwd: question.cwd,
    home,
    tools,
    equipment: await equipAgent(context, question.store, agent, question.role, { skillsFolder, tools }),
    keys: context.keys,
    env: context.env,
    signal: context.signal,
  });
  return { ...answer, promptVersion: prompt.version };
}

function findAgent(context: JobContext, role: AgentRole): AgentConfig {
  const agents = listAgents(context.config);
  const name = context.request.agent ?? defaultName(context, role);
  const agent = name === undefined ? agents[0] : agents.find((one) => one.name === name);
  if (agent === undefined) throw new JobStopped(`the configuration has no agent "${name ?? ""}"`);
  return agent;
}

function defaultName(context: JobContext, role: AgentRole): string | undefined {
  const { roles } = context.config;
  switch (role) {
    case "plan":
      return roles.planner;
    case "plan-review":
      return roles.plan_reviewer;
    case "review":
    case "final-review":
      return roles.reviewer;
    case "implement":
      return undefined;
  }
}

/** `{tools}` is the default branch's tree: an agent's own program never comes from the change it works on. */
async function exportTools(context: JobContext, question: Question, agent: AgentConfig): Promise<string | null> {
  const asked = agent.preset === "command" && (agent.command ?? []).some((part) => part.includes("{tools}"));
  if (!asked && !needsTools(context, agent, question.role)) return null;
  const commit = context.request.tools;
  if (commit === undefined)
    throw new JobStopped(`agent "${agent.name}" uses {tools}, and the request names no commit for it`);
  const folder = path.join(context.scratch, "tools");
  await exportTree(question.store, commit, folder, "links");
  return folder;
}
