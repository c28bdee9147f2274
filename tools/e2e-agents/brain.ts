/**
 * What the fake model thinks: it answers every prompt as the sample repository's own agents answered the same job in
 * a run that was recorded before, with the tools the program offers. So the whole run is the recorded one, and all
 * that is tested is the program and our dealings with it.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ChangeSet } from "../../src/contracts/change-set.ts";
import type { JobResult } from "../../src/contracts/job.ts";
import { answerAside } from "./answer-aside.ts";
import { type ToolCall, readFileCall, writeFileCall } from "./tool-calls.ts";

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly unknown[];
}

export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools?: ReadonlyArray<{ readonly function?: { readonly name: string } }>;
}

export type ModelAnswer =
  | { readonly content: string }
  | { readonly toolCalls: readonly ToolCall[] }
  | { readonly error: { readonly message: string; readonly type: string }; readonly status: number };

/** Of every answer, in the words of each provider. */
const USAGE = {
  input_tokens: 1000,
  output_tokens: 100,
  prompt_tokens: 1000,
  completion_tokens: 100,
  total_tokens: 1100,
};

/** A prompt of ours that no recorded job fits: the run took another way. */
export interface Brain {
  readonly answer: (request: ModelRequest) => ModelAnswer & { readonly usage: typeof USAGE };
  readonly problems: readonly string[];
  /** Calls of each tool that were made. */
  readonly used: ReadonlyMap<string, number>;
}

/** @param agent who gets every chunk: the recorded plan names the sample's agents. */
export function createBrain(recorded: ReadonlyMap<string, JobResult>, agent: string): Brain {
  const problems: string[] = [];
  const used = new Map<string, number>();
  /** The border of a prompt is different for every job: it names the conversation. */
  const jobs = new Map<string, string>();
  const counts = new Map<string, number>();

  const findJob = (prompt: string): string => {
    const named = /`job` = `([^`]+)`/u.exec(prompt)?.[1];
    if (named !== undefined) return named;
    const border = /<<<(data-[0-9a-f]{16}) /u.exec(prompt)?.[1] ?? "";
    const known = jobs.get(border);
    if (known !== undefined) return known;
    const chunk = /<<<data-[0-9a-f]{16} chunk\n([^:\n]+): /u.exec(prompt)?.[1];
    const subject = chunk === undefined ? "plan" : `implement:${chunk}`;
    const n = (counts.get(subject) ?? 0) + 1;
    counts.set(subject, n);
    const job = [...recorded.keys()].find((one) => one.endsWith(`/${subject}/${n}`)) ?? `${subject}/${n}`;
    jobs.set(border, job);
    return job;
  };

  const answer = (request: ModelRequest): ModelAnswer & { readonly usage: typeof USAGE } => ({
    ...think(request),
    usage: USAGE,
  });

  const think = (request: ModelRequest): ModelAnswer => {
    const said = request.messages.map((message) => readText(message.content)).join("\n");
    // Copilot CLI is told to read its prompt: the model looks at the file's beginning, and knows the rest.
    const file = /Read the file (\S+\/prompt\.md)/u.exec(said)?.[1];
    const text = file === undefined ? said : `${said}\n${readFileSync(file, "utf8")}`;
    const tools = new Set((request.tools ?? []).flatMap((tool) => tool.function?.name ?? []));
    const aside = answerAside(request);
    if (aside !== null) return aside;
    if (!text.includes("<<<data-")) return { content: "A title" };
    const job = findJob(text);
    const result = recorded.get(job);
    if (result?.outcome !== "done") {
      problems.push(`no recorded result for ${job}`);
      return { content: "I do not know." };
    }
    const call = (toolCall: ToolCall): ModelAnswer => {
      used.set(toolCall.name, (used.get(toolCall.name) ?? 0) + 1);
      return { toolCalls: [toolCall] };
    };
    const calls = request.messages.filter((message) => message.role === "tool").length;
    if (file !== undefined && calls === 0)
      return call({ name: "view", arguments: JSON.stringify({ path: file, view_range: [1, 20] }) });
    const step = file === undefined ? calls : calls - 1;
    const folder = /(?:working directory|workspace|cwd)[^\n/]{0,40}[:=>]?\s*`?(\/[^\s`<"']+)/iu.exec(text)?.[1] ?? null;
    if (result.payload.kind === "change-set") {
      const { entries } = result.payload.changeSet;
      const entry = entries[step];
      // The work tree holds the former attempt's change: what this one leaves alone is put back.
      const left = listPaths(recorded, formatFormer(job)).filter((one) =>
        entries.every(({ path: file }) => file !== one),
      );
      const undone = entry === undefined ? left[step - entries.length] : undefined;
      if (undone !== undefined) return call(writeFileCall(tools, readSample(undone), folder));
      if (entry === undefined) return finish(tools, JSON.stringify({ summary: "Done as planned." }));
      return call(writeFileCall(tools, entry, folder));
    }
    if (result.payload.kind !== "text") throw new TypeError(`${job} asks no model`);
    const commit = /`commit` = `([0-9a-f]+)`/u.exec(text)?.[1];
    const spoken = retell(result.payload.text, { recorded: result.commit, commit, agent });
    const look = step > 0 ? null : readFileCall(tools, folder === null ? null : path.join(folder, "tree/README.md"));
    if (look !== null) return call(look);
    return finish(tools, spoken);
  };
  return { answer, problems, used };
}

/** A file as the sample repository has it. */
function readSample(file: string): ChangeSet["entries"][number] {
  const source = new URL(`../../src/sandbox/sample/files/${file}`, import.meta.url);
  if (!existsSync(source)) return { kind: "delete", path: file };
  return { kind: "write", path: file, mode: "100644", encoding: "utf-8", content: readFileSync(source, "utf8") };
}

function formatFormer(job: string): string {
  return job.replace(/\d+$/u, (n) => `${Number(n) - 1}`);
}

function listPaths(recorded: ReadonlyMap<string, JobResult>, job: string): readonly string[] {
  const result = recorded.get(job);
  if (result?.outcome !== "done" || result.payload.kind !== "change-set") return [];
  return result.payload.changeSet.entries.map((entry) => entry.path);
}

/** A program that was given a schema wants the answer by a tool of its own. */
function finish(tools: ReadonlySet<string>, text: string): ModelAnswer {
  return tools.has("StructuredOutput")
    ? { toolCalls: [{ name: "StructuredOutput", arguments: text }] }
    : { content: text };
}

/** The recorded answer is about the same tree under another commit, and about agents of other names. */
function retell(
  text: string,
  now: { readonly recorded: string; readonly commit: string | undefined; readonly agent: string },
): string {
  const said = now.commit === undefined ? text : text.replaceAll(now.recorded, now.commit);
  const value = JSON.parse(said) as { assignments?: Record<string, string> };
  if (value.assignments === undefined) return said;
  const assignments = Object.fromEntries(Object.keys(value.assignments).map((chunk) => [chunk, now.agent]));
  return JSON.stringify({ ...value, assignments });
}

function readText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) =>
      typeof part === "object" && part !== null && "text" in part && typeof part.text === "string" ? part.text : "",
    )
    .join("\n");
}
