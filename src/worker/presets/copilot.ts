/**
 * Preset `copilot`: GitHub Copilot CLI
 * (docs.github.com/en/copilot/reference/copilot-cli-reference/cli-programmatic-reference).
 */
import type { Usage } from "../../contracts/job.ts";
import { formatFailure } from "./failure-answer.ts";
import { pick, pickCount, sumCounts } from "./json-lines.ts";
import { formatMcpFile } from "./mcp-file.ts";
import type { Preset } from "./preset.ts";

export const copilotPreset: Preset = {
  name: "copilot",
  keys: ["COPILOT_GITHUB_TOKEN"],
  settings: ["COPILOT_PROVIDER_BASE_URL", "COPILOT_OFFLINE"],
  providers: {},
  skillsFolder: ".copilot/skills",
  start(context) {
    const argv = [
      "copilot",
      // One argument holds at most 128 KiB on Linux, so the prompt is a file.
      "-p",
      `Read the file ${context.home}/prompt.md and do what it says. Your last message is the JSON object it asks for.`,
      "-s",
      "--no-color",
      "--no-ask-user",
      "--no-custom-instructions",
      "--disable-builtin-mcps",
      "--usage-output-file",
      `${context.home}/usage.json`,
      "--add-dir",
      context.home,
      "--secret-env-vars=COPILOT_GITHUB_TOKEN",
      "--allow-all-tools",
    ];
    // Denials win over permissions; tools that are not available are not even told to the model.
    if (context.role !== "implement")
      argv.push("--available-tools=view,grep,glob", "--deny-tool=shell", "--deny-tool=write");
    if (context.model !== "") argv.push("--model", context.model);
    return {
      argv,
      input: "",
      env: { ...Object.fromEntries(context.keys), COPILOT_HOME: `${context.home}/.copilot` },
      files: [
        { path: "prompt.md", text: context.request.prompt },
        ...(context.mcps.length === 0
          ? []
          : [{ path: ".copilot/mcp-config.json", text: formatMcpFile(context.mcps, { type: "local", tools: ["*"] }) }]),
      ],
      sideFile: "usage.json",
      maxOutputBytes: 16 * 1024 * 1024,
    };
  },
  read(result, sideFile) {
    const usage = sideFile === null ? null : readUsage(sideFile);
    if (result.exit !== 0) return formatFailure("copilot", `${result.stderr} ${result.stdout.slice(-500)}`, usage);
    return { kind: "text", text: result.stdout, usage };
  },
};

function readUsage(text: string): Usage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const models = Object.entries((pick(value, "modelMetrics") ?? {}) as Record<string, unknown>);
  return {
    inputTokens: sumCounts(models.map(([, model]) => pickCount(model, "usage", "inputTokens"))),
    outputTokens: sumCounts(models.map(([, model]) => pickCount(model, "usage", "outputTokens"))),
    usd: null,
    model: models[0]?.[0] ?? null,
  };
}
