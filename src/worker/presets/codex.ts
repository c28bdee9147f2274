/** Preset `codex`: `codex exec` (developers.openai.com/codex/noninteractive). */
import type { Usage } from "../../contracts/job.ts";
import { formatFailure } from "./failure-answer.ts";
import { parseJsonLines, pickCount, pickText, sumCounts } from "./json-lines.ts";
import type { McpServer, Preset } from "./preset.ts";

export const codexPreset: Preset = {
  name: "codex",
  keys: ["OPENAI_API_KEY"],
  settings: ["OPENAI_BASE_URL"],
  providers: {
    OPENAI_API_KEY: { setting: "OPENAI_BASE_URL", address: "https://api.openai.com/v1", header: "bearer" },
  },
  skillsFolder: ".codex/skills",
  start(context) {
    const argv = [
      "codex",
      "exec",
      "--json",
      "--ephemeral",
      "--skip-git-repo-check",
      "--sandbox",
      context.role === "implement" ? "workspace-write" : "read-only",
      "--output-last-message",
      `${context.home}/answer.json`,
      "-c",
      'approval_policy="never"',
      // Instructions and MCP servers of the repository are text of somebody else.
      "-c",
      "project_doc_max_bytes=0",
      "-c",
      'web_search="disabled"',
    ];
    const base = context.settings["OPENAI_BASE_URL"];
    if (base !== undefined) argv.push(...formatProvider(base));
    if (context.model !== "") argv.push("--model", context.model);
    // `--output-schema` wants OpenAI's strict subset of JSON Schema (every property required), which none of
    // our answers fits; the prompt carries the schema instead.
    argv.push("-");
    return {
      argv,
      input: context.request.prompt,
      env: { CODEX_API_KEY: context.keys.get("OPENAI_API_KEY") ?? "", CODEX_HOME: `${context.home}/.codex` },
      files: [{ path: ".codex/config.toml", text: formatServers(context.mcps) }],
      sideFile: "answer.json",
      maxOutputBytes: 64 * 1024 * 1024,
    };
  },
  read(result, sideFile) {
    const events = parseJsonLines(result.stdout);
    const usage = readUsage(events);
    const failed = events.findLast((event) => ["turn.failed", "error"].includes(pickText(event, "type") ?? ""));
    const said = pickText(failed, "error", "message") ?? pickText(failed, "message");
    if (result.exit !== 0 || (failed !== undefined && sideFile === null))
      return formatFailure("codex", `${said ?? ""} ${result.stderr}`, usage);
    const message = events.findLast((event) => pickText(event, "item", "type") === "agent_message");
    return { kind: "text", text: sideFile ?? pickText(message, "item", "text") ?? "", usage };
  },
};

/**
 * `codex exec` ignores OPENAI_BASE_URL, and its own provider begins with a web socket, which no plain proxy passes
 * on; one of another name uses requests (developers.openai.com/codex/config-reference, `model_providers`).
 */
function formatProvider(base: string): readonly string[] {
  const provider = [
    'name = "OpenAI"',
    `base_url = ${JSON.stringify(base)}`,
    'env_key = "CODEX_API_KEY"',
    'wire_api = "responses"',
  ];
  return ["-c", 'model_provider="taskfleet"', "-c", `model_providers.taskfleet={ ${provider.join(", ")} }`];
}

/** TOML takes JSON's strings and lists of strings as they are. */
function formatServers(mcps: readonly McpServer[]): string {
  return mcps
    .map(({ name, command, args, env }) =>
      [
        `[mcp_servers.${name}]`,
        `command = ${JSON.stringify(command)}`,
        `args = ${JSON.stringify(args)}`,
        // Nobody is there to be asked, and a call that would need asking is refused.
        'default_tools_approval_mode = "approve"',
        `[mcp_servers.${name}.env]`,
        ...Object.entries(env).map(([variable, value]) => `${variable} = ${JSON.stringify(value)}`),
        "",
      ].join("\n"),
    )
    .join("\n");
}

function readUsage(events: ReadonlyArray<Readonly<Record<string, unknown>>>): Usage | null {
  const turns = events.filter((event) => pickText(event, "type") === "turn.completed");
  if (turns.length === 0) return null;
  return {
    inputTokens: sumCounts(turns.map((turn) => pickCount(turn, "usage", "input_tokens"))),
    outputTokens: sumCounts(turns.map((turn) => pickCount(turn, "usage", "output_tokens"))),
    usd: null,
    model: null,
  };
}
