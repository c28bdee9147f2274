/**
 * Preset `gemini`: Gemini CLI in headless mode (geminicli.com/docs/cli/headless, …/reference/configuration). No
 * setting keeps it from reading a GEMINI.md in its working directory, so an implementer sees the repository's; the
 * others work where there is none.
 */
import type { Usage } from "../../contracts/job.ts";
import { formatFailure } from "./failure-answer.ts";
import { pick, pickCount, pickText, sumCounts } from "./json-lines.ts";
import type { Preset } from "./preset.ts";

const reading = ["list_directory", "read_file", "read_many_files", "glob", "search_file_content", "grep_search"];
const writing = [...reading, "replace", "write_file", "run_shell_command", "write_todos"];

export const geminiPreset: Preset = {
  name: "gemini",
  keys: ["GEMINI_API_KEY"],
  settings: ["GOOGLE_GEMINI_BASE_URL"],
  providers: {
    GEMINI_API_KEY: {
      setting: "GOOGLE_GEMINI_BASE_URL",
      address: "https://generativelanguage.googleapis.com",
      header: "x-goog-api-key",
    },
  },
  skillsFolder: ".gemini/skills",
  start(context) {
    const own = context.role === "implement" ? writing : reading;
    // A list of tools denies all others, those of trusted servers too (seen with 0.61.0).
    const core = [...own, ...context.mcps.map((server) => `mcp_${server.name}_*`)];
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      tools: { core: context.skills.length > 0 ? [...core, "activate_skill"] : core },
      mcpServers: Object.fromEntries(
        context.mcps.map(({ name, command, args, env }) => [name, { command, args, env, trust: true }]),
      ),
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
    };
    const argv = ["gemini", "--output-format", "json", "--approval-mode", "yolo", "--skip-trust"];
    if (context.model !== "") argv.push("--model", context.model);
    // The prompt comes by standard input; `--prompt` is appended to it.
    argv.push("--prompt", "Do what the text above says.");
    return {
      argv,
      input: context.request.prompt,
      env: Object.fromEntries(context.keys),
      files: [{ path: ".gemini/settings.json", text: JSON.stringify(settings) }],
      sideFile: null,
      maxOutputBytes: 16 * 1024 * 1024,
    };
  },
  read(result) {
    let value: unknown = null;
    const start = result.stdout.indexOf("{");
    try {
      value = start === -1 ? null : (JSON.parse(result.stdout.slice(start)) as unknown);
    } catch {
      value = null;
    }
    const usage = value === null ? null : readUsage(value);
    const said = pickText(value, "error", "message");
    if (result.exit !== 0 || said !== null || value === null)
      return formatFailure("gemini", `${said ?? ""} ${result.stderr}`, usage);
    return { kind: "text", text: pickText(value, "response") ?? "", usage };
  },
};

function readUsage(value: unknown): Usage {
  const models = Object.entries((pick(value, "stats", "models") ?? {}) as Record<string, unknown>);
  return {
    inputTokens: sumCounts(models.map(([, model]) => pickCount(model, "tokens", "prompt"))),
    outputTokens: sumCounts(
      models.flatMap(([, model]) => [pickCount(model, "tokens", "candidates"), pickCount(model, "tokens", "thoughts")]),
    ),
    usd: null,
    model: models[0]?.[0] ?? null,
  };
}
