/** Preset `opencode`: `opencode run` (opencode.ai/docs/cli, …/docs/config, …/docs/permissions). */
import type { Usage } from "../../contracts/job.ts";
import { formatFailure } from "./failure-answer.ts";
import { parseJsonLines, pick, pickCount, pickText, sumCounts } from "./json-lines.ts";
import type { Preset } from "./preset.ts";

const reading = { "*": "deny", read: "allow", grep: "allow", glob: "allow", list: "allow" } as const;
const writing = { ...reading, edit: "allow", write: "allow", bash: "allow", todowrite: "allow" } as const;

export const opencodePreset: Preset = {
  name: "opencode",
  keys: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
  settings: ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"],
  providers: {
    ANTHROPIC_API_KEY: { setting: "ANTHROPIC_BASE_URL", address: "https://api.anthropic.com/v1", header: "x-api-key" },
    OPENAI_API_KEY: { setting: "OPENAI_BASE_URL", address: "https://api.openai.com/v1", header: "bearer" },
  },
  skillsFolder: ".config/opencode/skills",
  start(context) {
    const config = {
      permission: {
        ...(context.role === "implement" ? writing : reading),
        ...(context.skills.length > 0 ? { skill: "allow" } : {}),
        // Its tools are named after their server.
        ...Object.fromEntries(context.mcps.map((server) => [`${server.name}_*`, "allow"])),
      },
      mcp: Object.fromEntries(
        context.mcps.map(({ name, command, args, env }) => [
          name,
          { type: "local", command: [command, ...args], environment: env, enabled: true },
        ]),
      ),
      share: "disabled",
      autoupdate: false,
      snapshot: false,
    };
    const argv = ["opencode", "run", "--format", "json", "--pure"];
    // `provider/model`, as `opencode models` lists them.
    if (context.model !== "") argv.push("--model", context.model);
    const gemini = context.keys.get("GEMINI_API_KEY");
    return {
      argv,
      input: context.request.prompt,
      env: {
        ...Object.fromEntries(context.keys),
        ...(gemini === undefined ? {} : { GOOGLE_GENERATIVE_AI_API_KEY: gemini }),
        OPENCODE_CONFIG: `${context.home}/opencode.json`,
        // Configuration and instructions of the repository are text of somebody else.
        OPENCODE_DISABLE_PROJECT_CONFIG: "1",
        OPENCODE_DISABLE_CLAUDE_CODE: "1",
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        // Language servers are programs of others, installed without being asked for.
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      },
      files: [{ path: "opencode.json", text: JSON.stringify(config) }],
      sideFile: null,
      maxOutputBytes: 64 * 1024 * 1024,
    };
  },
  read(result) {
    const events = parseJsonLines(result.stdout);
    const usage = readUsage(events);
    const failed = events.findLast((event) => pickText(event, "type") === "error");
    if (result.exit !== 0 || failed !== undefined) {
      const said = failed === undefined ? "" : JSON.stringify(pick(failed, "error") ?? failed);
      return formatFailure("opencode", `${said} ${result.stderr}`, usage);
    }
    const texts = events
      .filter((event) => pickText(event, "type") === "text")
      .map((event) => pickText(event, "part", "text"));
    // The answer is what was said after the last tool call.
    return { kind: "text", text: texts.findLast((text) => text !== null && text.trim() !== "") ?? "", usage };
  },
};

function readUsage(events: ReadonlyArray<Readonly<Record<string, unknown>>>): Usage | null {
  const steps = events.filter((event) => pickText(event, "type") === "step_finish");
  if (steps.length === 0) return null;
  const costs = steps.map((step) => pick(step, "part", "cost")).filter((cost) => typeof cost === "number");
  return {
    inputTokens: sumCounts(
      steps.flatMap((step) => [
        pickCount(step, "part", "tokens", "input"),
        pickCount(step, "part", "tokens", "cache", "read"),
        pickCount(step, "part", "tokens", "cache", "write"),
      ]),
    ),
    outputTokens: sumCounts(steps.map((step) => pickCount(step, "part", "tokens", "output"))),
    usd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    model: null,
  };
}
