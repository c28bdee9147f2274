/** Role `plan`: an agent reads the repository and returns a draft, questions or an answer. */
import { listFiles } from "../git/list-files.ts";
import type { AgentRequest } from "../../contracts/agent-request.ts";
import { listAgents } from "../../contracts/config.ts";
import type { JobFeedback } from "../../contracts/job.ts";
import { checklist } from "../../plan/checklist/checklist.ts";
import type { DataBlock } from "../prompts/build-prompt.ts";
import { askAgent } from "./ask-agent.ts";
import { type JobContext, JobStopped, type RoleOutcome } from "./job-context.ts";
import { loadFeedback } from "./load-feedback.ts";
import { openReadingRoom } from "./open-reading-room.ts";
import { formatTextOutcome } from "./text-outcome.ts";

export async function plan(context: JobContext): Promise<RoleOutcome> {
  const intent = await context.loadDocument("intent");
  if (intent === null) throw new JobStopped("a plan job needs an intent, and its request names none");
  const feedback = await loadFeedback(context);
  const room = await openReadingRoom(context, null);
  const files = [...(await listFiles({ cwd: room.store.gitDir, gitDir: room.store.gitDir }, context.request.commit))];
  const agents = listRegistry(context);
  const asked = await askAgent(context, {
    role: "plan",
    store: room.store,
    cwd: room.folder,
    fields: { intent, files, agents, ...formatFormer(feedback) },
    blocks: [
      { name: "intent", text: intent },
      { name: "registry", text: renderRegistry(agents) },
      { name: "checklist", text: checklist.map((item) => `- ${item.id}: ${item.demand}`).join("\n") },
      ...formatFormerBlocks(feedback),
      { name: "files", text: renderFiles(files) },
    ],
  });
  return formatTextOutcome(asked, "The planner answered.");
}

/** The registry as agents see it. */
export function listRegistry(context: JobContext): NonNullable<AgentRequest["agents"]> {
  return listAgents(context.config).map((agent) => ({
    name: agent.name,
    description: agent.description,
    paths: [...agent.paths],
  }));
}

export function renderRegistry(agents: NonNullable<AgentRequest["agents"]>): string {
  return agents
    .map((agent) => {
      const paths = agent.paths.length === 0 ? "the whole repository" : agent.paths.join(", ");
      return `- ${agent.name} (${paths}): ${agent.description || "no description"}`;
    })
    .join("\n");
}

/** A model needs no list of ten thousand names; it can look into `tree/`. */
export function renderFiles(files: readonly string[]): string {
  const most = 2000;
  const shown = files.slice(0, most).join("\n");
  return files.length > most ? `${shown}\n… and ${files.length - most} more, see tree/` : shown;
}

function formatFormer(feedback: JobFeedback | null): Partial<AgentRequest> {
  if (feedback === null) return {};
  return {
    feedback: feedback.items,
    ...(feedback.draft === undefined ? {} : { draft: feedback.draft }),
    ...(feedback.plan === undefined ? {} : { plan: parseJson(feedback.plan) }),
    ...(feedback.landed === undefined ? {} : { landed: feedback.landed }),
    ...(feedback.request === undefined ? {} : { request: feedback.request }),
  };
}

function formatFormerBlocks(feedback: JobFeedback | null): readonly DataBlock[] {
  if (feedback === null) return [];
  const blocks: DataBlock[] = [];
  const add = (name: string, text: string | undefined): void => {
    if (text !== undefined && text !== "") blocks.push({ name, text });
  };
  add("feedback", feedback.items.map((item) => `- [${item.source}] ${item.text}`).join("\n"));
  add("draft", feedback.draft);
  add("running-plan", feedback.plan);
  add("landed", feedback.landed?.join("\n"));
  add("request", feedback.request);
  return blocks;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
