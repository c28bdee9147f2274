/** What becomes of a provider's failures. */
import type { AgentAnswer } from "../../src/worker/agents/run-agent.ts";
import { answerAside } from "./answer-aside.ts";
import type { ModelRequest } from "./brain.ts";
import { callAgent } from "./call-agent.ts";
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
  {
    name: "refusal",
    wanted: ["unusable"],
    arm: (model) => void model.on(ANY, (request: ModelRequest) => answerAside(request) ?? { content: REFUSAL }),
  },
  {
    name: "tool loop",
    wanted: ["unusable"],
    arm: (model) =>
      void model.on(ANY, (request: ModelRequest) => {
        const tools = new Set((request.tools ?? []).flatMap((tool) => tool.function?.name ?? []));
        return answerAside(request) ?? { toolCalls: [shellCall(tools, "sleep 1; date")] };
      }),
  },
];

/** Gives a line per script, and whether it came to what it must not come to. */
export async function* playFailures(
  program: Pick<ProgramUnderTest, "name" | "model">,
  model: FakeModel,
  env: Readonly<Record<string, string | undefined>>,
): AsyncGenerator<{ readonly line: string; readonly wrong: boolean }> {
  for (const script of SCRIPTS) {
    model.clearFixtures();
    script.arm(model);
    const started = Date.now();
    const answer = await callAgent(program, env);
    const seconds = Math.round((Date.now() - started) / 1000);
    const wrong = !script.wanted.includes(answer.kind);
    const verdict = wrong ? `WRONG, should be ${script.wanted.join(" or ")}` : "as it should";
    const cause = answer.kind === "answer" ? "" : `: ${answer.cause.slice(0, 160)}`;
    yield { line: `${script.name}: ${answer.kind} after ${seconds} s, ${verdict}${cause}`, wrong };
  }
}
