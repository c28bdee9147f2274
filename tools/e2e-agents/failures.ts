/** What becomes of a provider's failures: the worker's own call of a program, without a run around it. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { configSchema } from "../../src/contracts/config.ts";
import { MODEL_KEYS } from "../../src/contracts/model-keys.ts";
import { type AgentAnswer, runAgent } from "../../src/worker/agents/run-agent.ts";
import { formatAnswerSchema } from "../../src/worker/agents/answer-schema.ts";
import { buildPrompt } from "../../src/worker/prompts/build-prompt.ts";
import type { ModelRequest } from "./brain.ts";
import type { FakeModel, ProgramUnderTest } from "./programs.ts";
import { shellCall } from "./tool-calls.ts";

interface Script {
  readonly name: string;
  /** Anything else is a defect of ours. */
  readonly wanted: ReadonlyArray<AgentAnswer["kind"]>;
  readonly arm: (model: FakeModel) => void;
}

const failed = (status: number, type: string, message: string) => ({ error: { message, type }, status });
const ANY = { predicate: () => true };
const REFUSAL = "I am sorry, I cannot help with that.";

const SCRIPTS: readonly Script[] = [
  {
    name: "rate limit",
    wanted: ["external"],
    arm: (model) => void model.on(ANY, failed(429, "rate_limit_error", "Rate limit reached for this organization")),
  },
  {
    name: "overload",
    wanted: ["external"],
    arm: (model) => void model.on(ANY, failed(529, "overloaded_error", "Overloaded")),
  },
  {
    name: "refused key",
    wanted: ["external"],
    arm: (model) => void model.on(ANY, failed(401, "authentication_error", "invalid x-api-key")),
  },
  {
    name: "stream cut",
    wanted: ["external", "unusable"],
    arm: (model) =>
      void model.on(ANY, { content: `{"summary": "${"word ".repeat(200)}` }, { truncateAfterChunks: 3, chunkSize: 20 }),
  },
  { name: "refusal", wanted: ["unusable"], arm: (model) => void model.on(ANY, { content: REFUSAL }) },
  {
    name: "tool loop",
    wanted: ["unusable"],
    arm: (model) =>
      void model.on(ANY, (request: ModelRequest) => {
        const tools = new Set((request.tools ?? []).flatMap((tool) => tool.function?.name ?? []));
        return tools.size === 0 ? { content: "A title" } : { toolCalls: [shellCall(tools, "sleep 1; date")] };
      }),
  },
];

/** Gives a line per script. */
export async function* playFailures(
  program: Pick<ProgramUnderTest, "name" | "model">,
  model: FakeModel,
  env: Readonly<Record<string, string | undefined>>,
): AsyncGenerator<string> {
  for (const script of SCRIPTS) {
    model.clearFixtures();
    script.arm(model);
    const started = Date.now();
    const answer = await call(program, env);
    const seconds = Math.round((Date.now() - started) / 1000);
    const verdict = script.wanted.includes(answer.kind)
      ? "as it should"
      : `WRONG, should be ${script.wanted.join(" or ")}`;
    const cause = answer.kind === "answer" ? "" : `: ${answer.cause.slice(0, 160)}`;
    yield `${script.name}: ${answer.kind} after ${seconds} s, ${verdict}${cause}`;
  }
}

async function call(
  program: Pick<ProgramUnderTest, "name" | "model">,
  env: Readonly<Record<string, string | undefined>>,
): Promise<AgentAnswer> {
  const folder = mkdtempSync(path.join(tmpdir(), "taskfleet-failure-"));
  try {
    const [cwd, home] = [path.join(folder, "tree"), path.join(folder, "home")];
    mkdirSync(cwd);
    mkdirSync(home);
    const [agent] = configSchema.parse({ agents: [{ name: "a", preset: program.name, timeout_minutes: 1 }] }).agents;
    if (agent === undefined) throw new Error("there is no agent");
    const job = { role: "implement", job: "1-e2e/implement:x/1", commit: "c".repeat(40) } as const;
    const prompt = buildPrompt({ ...job, schema: formatAnswerSchema("implement"), start: "", blocks: [] });
    return await runAgent({
      request: { v: 1, ...job, prompt: prompt.text, promptVersion: prompt.version },
      agent,
      model: program.model,
      cwd,
      home,
      tools: null,
      equipment: { skills: [], mcps: [] },
      keys: new Map(MODEL_KEYS.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]] as const]))),
      env,
      signal: new AbortController().signal,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
