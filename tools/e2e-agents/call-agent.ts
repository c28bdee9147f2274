/** The worker's own call of a program, without a run around it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { configSchema } from "../../src/contracts/config.ts";
import { MODEL_KEYS } from "../../src/contracts/model-keys.ts";
import { type AgentAnswer, runAgent } from "../../src/worker/agents/run-agent.ts";
import { formatAnswerSchema } from "../../src/worker/agents/answer-schema.ts";
import type { McpServer } from "../../src/worker/presets/preset.ts";
import { PRESETS } from "../../src/worker/presets/presets.ts";
import { buildPrompt } from "../../src/worker/prompts/build-prompt.ts";
import type { ProgramUnderTest } from "./programs.ts";

/** What an implementer is handed beside its task. */
export interface Equipment {
  /** Name to the text of its SKILL.md. */
  readonly skills: Readonly<Record<string, string>>;
  readonly mcps: readonly McpServer[];
}

export async function callAgent(
  program: Pick<ProgramUnderTest, "name" | "model">,
  env: Readonly<Record<string, string | undefined>>,
  equipment: Equipment = { skills: {}, mcps: [] },
): Promise<AgentAnswer> {
  const folder = mkdtempSync(path.join(tmpdir(), "taskfleet-failure-"));
  try {
    const [cwd, home] = [path.join(folder, "tree"), path.join(folder, "home")];
    mkdirSync(cwd);
    mkdirSync(home);
    for (const [name, text] of Object.entries(equipment.skills)) {
      const skill = path.join(home, PRESETS[program.name].skillsFolder, name);
      mkdirSync(skill, { recursive: true });
      writeFileSync(path.join(skill, "SKILL.md"), text);
    }
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
      equipment: { skills: Object.keys(equipment.skills), mcps: equipment.mcps },
      keys: new Map(MODEL_KEYS.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]] as const]))),
      env,
      signal: new AbortController().signal,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
