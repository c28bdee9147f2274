/** Starts one agent for one request and tells what came of it. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { AgentRequest } from "../../contracts/agent-request.ts";
import type { AgentConfig } from "../../contracts/config.ts";
import { ASK_A_PERSON, type Remedy, type Usage } from "../../contracts/job.ts";
import type { ModelKey } from "../../contracts/model-keys.ts";
import type { McpServer, Preset } from "../presets/preset.ts";
import { PRESETS } from "../presets/presets.ts";
import { findNoNewPrivileges } from "../process/no-new-privileges.ts";
import { type ProgramResult, runProgram } from "../process/run-program.ts";
import { blameProvider } from "./blame-provider.ts";
import { type HiddenKeys, hideKeys } from "./hide-keys.ts";
import { formatAnswerSchema, looksLikeAnswer } from "./answer-schema.ts";
import { parseAnswer } from "./parse-answer.ts";
import { scrubEnvironment } from "./scrub-environment.ts";

export interface AgentCall {
  readonly request: AgentRequest;
  readonly agent: AgentConfig;
  readonly model: string;
  readonly cwd: string;
  /** An empty folder outside the tree, removed by the caller. */
  readonly home: string;
  readonly tools: string | null;
  readonly equipment: { readonly skills: readonly string[]; readonly mcps: readonly McpServer[] };
  /** All keys the step holds; an agent gets its own only. */
  readonly keys: ReadonlyMap<ModelKey, string>;
  /** The step's environment, already without token and keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export type AgentAnswer =
  | {
      readonly kind: "answer";
      readonly text: string;
      readonly value: Readonly<Record<string, unknown>>;
      readonly usage: Usage | null;
    }
  | {
      readonly kind: "unusable" | "external";
      readonly cause: string;
      readonly usage: Usage | null;
      /** What ends an outside failure, where it is known. */
      readonly remedy?: Remedy;
    };

export async function runAgent(call: AgentCall): Promise<AgentAnswer> {
  const preset = PRESETS[call.agent.preset];
  const keys = selectKeys(call, preset.keys);
  if (preset.keys.length > 0 && keys.size === 0)
    return external(
      `agent "${call.agent.name}" needs one of the repository secrets ${preset.keys.join(", ")}`,
      ASK_A_PERSON,
    );
  const hidden = await hideKeys(preset, keys, selectSettings(call, preset.settings));
  try {
    const answer = await runPreset(call, preset, hidden);
    return answer.kind === "answer" ? answer : blameProvider(answer, hidden.refusal());
  } finally {
    await hidden.end();
  }
}

async function runPreset(call: AgentCall, preset: Preset, { keys, settings }: HiddenKeys): Promise<AgentAnswer> {
  const start = preset.start({
    role: call.request.role,
    model: call.model,
    agent: call.agent,
    request: call.request,
    schema: formatAnswerSchema(call.request.role),
    home: call.home,
    tools: call.tools,
    keys,
    settings,
    ...call.equipment,
  });
  await mkdir(path.join(call.home, "tmp"), { recursive: true });
  for (const file of start.files) {
    const target = path.join(call.home, file.path);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, file.text);
  }
  const result = await runProgram({
    argv: start.argv,
    // On a hosted runner sudo would open what is closed to its user: other processes' memory.
    prefix: findNoNewPrivileges(),
    cwd: call.cwd,
    env: scrubEnvironment(call.env, call.home, { ...settings, ...start.env }),
    input: start.input,
    timeoutMs: call.agent.timeout_minutes * 60_000,
    maxOutputBytes: start.maxOutputBytes,
    signal: call.signal,
  });
  const broken = describeBroken(result, call.agent, start.argv[0] ?? "", start.maxOutputBytes);
  if (broken !== null) return broken;
  const sideFile = start.sideFile === null ? null : await loadSideFile(path.join(call.home, start.sideFile));
  const answer = preset.read(result, sideFile);
  if (answer.kind !== "text") return answer;
  const parsed = parseAnswer(answer.text, (value) => looksLikeAnswer(call.request.role, value));
  if (parsed.kind !== "json") return { kind: "unusable", cause: parsed.cause, usage: answer.usage };
  return { kind: "answer", text: parsed.text, value: parsed.value, usage: answer.usage };
}

function selectKeys(call: AgentCall, names: readonly ModelKey[]): ReadonlyMap<ModelKey, string> {
  const selected = new Map<ModelKey, string>();
  for (const name of [...names, ...call.agent.keys]) {
    const value = call.keys.get(name);
    if (value !== undefined) selected.set(name, value);
  }
  return selected;
}

function selectSettings(call: AgentCall, names: readonly string[]): Readonly<Record<string, string>> {
  const selected: Record<string, string> = {};
  for (const name of names) {
    const value = call.env[name];
    if (value !== undefined && value !== "") selected[name] = value;
  }
  return selected;
}

/** The ways a program fails before anything it printed is worth reading. */
function describeBroken(
  result: ProgramResult,
  agent: AgentConfig,
  program: string,
  maxOutputBytes: number,
): AgentAnswer | null {
  switch (result.ended) {
    case "exited":
      return null;
    case "not-started":
      return external(
        `the program of agent "${agent.name}" cannot be started (${result.error}): ` +
          `install \`${program}\` in a step of .github/workflows/taskfleet.yml, or mend \`agents\` in the configuration`,
        ASK_A_PERSON,
      );
    case "timed-out":
      return unusable(`the agent did not end within ${agent.timeout_minutes} minutes`);
    case "oversize":
      return unusable(`the agent printed more than ${maxOutputBytes} bytes`);
    case "signalled":
      return unusable("the agent's program was killed by a signal");
    case "cancelled":
      return external("the run was cancelled");
  }
}

function external(cause: string, remedy?: Remedy): AgentAnswer {
  return { kind: "external", cause, usage: null, ...(remedy === undefined ? {} : { remedy }) };
}

function unusable(cause: string): AgentAnswer {
  return { kind: "unusable", cause, usage: null };
}

async function loadSideFile(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch {
    return null;
  }
}
