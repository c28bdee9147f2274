/**
 * Preset `copilot`: GitHub Copilot CLI
 * (docs.github.com/en/copilot/reference/copilot-cli-reference/cli-programmatic-reference).
 */
import { formatFailure } from "./failure-answer.ts";
import type { Preset } from "./preset.ts";

export const copilotPreset: Preset = {
  name: "copilot",
  keys: ["COPILOT_GITHUB_TOKEN"],
  settings: ["COPILOT_PROVIDER_BASE_URL", "COPILOT_OFFLINE"],
  providers: {},
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
      "--add-dir",
      context.home,
      "--secret-env-vars=COPILOT_GITHUB_TOKEN",
      "--allow-all-tools",
    ];
    // Denials win over permissions.
    if (context.role !== "implement") argv.push("--deny-tool", "shell", "--deny-tool", "write");
    if (context.model !== "") argv.push("--model", context.model);
    return {
      argv,
      input: "",
      env: { ...Object.fromEntries(context.keys), COPILOT_HOME: `${context.home}/.copilot` },
      files: [{ path: "prompt.md", text: context.request.prompt }],
      answerFile: null,
      maxOutputBytes: 16 * 1024 * 1024,
    };
  },
  read(result) {
    // Copilot tells no tokens in silent mode: unknown usage counts as its reserved worst case.
    if (result.exit !== 0) return formatFailure("copilot", `${result.stderr} ${result.stdout.slice(-500)}`, null);
    return { kind: "text", text: result.stdout, usage: null };
  },
};
