/** Preset `claude`: Claude Code in print mode (code.claude.com/docs/en/headless, …/cli-reference). */
import type { Usage } from "../../contracts/job.ts";
import { formatFailure } from "./failure-answer.ts";
import { pick, pickCount, pickText, sumCounts } from "./json-lines.ts";
import { formatMcpFile } from "./mcp-file.ts";
import type { Preset } from "./preset.ts";

const reading = ["Read", "Grep", "Glob"];
const writing = [...reading, "Edit", "Write", "Bash", "TodoWrite"];

export const claudePreset: Preset = {
  name: "claude",
  keys: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
  settings: ["ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"],
  providers: {
    ANTHROPIC_API_KEY: { setting: "ANTHROPIC_BASE_URL", address: "https://api.anthropic.com", header: "x-api-key" },
    CLAUDE_CODE_OAUTH_TOKEN: { setting: "ANTHROPIC_BASE_URL", address: "https://api.anthropic.com", header: "bearer" },
  },
  skillsFolder: ".claude/skills",
  start(context) {
    const tools = [
      ...(context.role === "implement" ? writing : reading),
      ...(context.skills.length > 0 ? ["Skill"] : []),
    ];
    const allowed = [...tools, ...context.mcps.map((server) => `mcp__${server.name}`)];
    const argv = [
      "claude",
      "--print",
      "--output-format",
      "json",
      // Settings, hooks, memory and MCP servers of the repository are code of somebody else.
      "--setting-sources",
      "user",
      "--strict-mcp-config",
      "--tools",
      tools.join(","),
      "--allowedTools",
      allowed.join(","),
      "--permission-mode",
      context.role === "implement" ? "acceptEdits" : "default",
    ];
    if (context.mcps.length > 0) argv.push("--mcp-config", `${context.home}/mcp.json`);
    if (context.model !== "") argv.push("--model", context.model);
    // The provider takes objects only; a planner's answer is one of several and is held to its shape by the prompt.
    if (context.schema["type"] === "object") argv.push("--json-schema", JSON.stringify(context.schema));
    return {
      argv,
      input: context.request.prompt,
      env: {
        ...Object.fromEntries(context.keys),
        CLAUDE_CONFIG_DIR: `${context.home}/.claude`,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        // Ten of them last for minutes of a paid runner; the App waits without one.
        CLAUDE_CODE_MAX_RETRIES: "4",
      },
      files: context.mcps.length === 0 ? [] : [{ path: "mcp.json", text: formatMcpFile(context.mcps) }],
      sideFile: null,
      maxOutputBytes: 16 * 1024 * 1024,
    };
  },
  read(result) {
    const value = parseResult(result.stdout);
    if (value === null) return formatFailure("claude", `${result.stderr}\n${result.stdout.slice(-500)}`, null);
    const usage = readUsage(value);
    if (result.exit !== 0 || pick(value, "is_error") === true || pickText(value, "subtype") !== "success")
      return formatFailure(
        "claude",
        [pickText(value, "result"), pickText(value, "subtype"), result.stderr].filter(Boolean).join(" "),
        usage,
      );
    const structured = pick(value, "structured_output");
    const text =
      typeof structured === "object" && structured !== null
        ? JSON.stringify(structured)
        : (pickText(value, "result") ?? "");
    return { kind: "text", text, usage };
  },
};

function parseResult(stdout: string): unknown {
  try {
    const value = JSON.parse(stdout) as unknown;
    // Verbose mode prints all messages as an array; the result is the last one.
    return Array.isArray(value) ? (value.at(-1) as unknown) : value;
  } catch {
    return null;
  }
}

function readUsage(value: unknown): Usage {
  const models = pick(value, "modelUsage");
  const cost = pick(value, "total_cost_usd");
  return {
    // What came from or went into the cache was read as well.
    inputTokens: sumCounts([
      pickCount(value, "usage", "input_tokens"),
      pickCount(value, "usage", "cache_creation_input_tokens"),
      pickCount(value, "usage", "cache_read_input_tokens"),
    ]),
    outputTokens: pickCount(value, "usage", "output_tokens"),
    usd: typeof cost === "number" && cost >= 0 ? cost : null,
    model: typeof models === "object" && models !== null ? (Object.keys(models)[0] ?? null) : null,
  };
}
