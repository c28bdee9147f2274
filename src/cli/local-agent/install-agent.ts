import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { stringify } from "yaml";
import { UserError } from "../../contracts/errors.ts";
import { CONFIG_PATH, WORKFLOW_PATH } from "../../contracts/names.ts";
import { parseConfig } from "../../contracts/parse-config.ts";
import type { LocalAgent } from "./choose-agent.ts";

/**
 * Changes a checkout's configuration and workflow: this agent alone plans, builds and reviews, and the provider's
 * addresses reach the one step that runs it.
 * @throws UserError when the configuration is not valid.
 */
export async function installAgent(
  files: string,
  agent: LocalAgent,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const config = path.join(files, CONFIG_PATH);
  const former = parseConfig(await readFile(config, "utf8").catch(() => ""));
  if (former.config === null)
    throw new UserError(`${CONFIG_PATH} is not valid: ${former.problems[0]?.message ?? "unknown problem"}`);
  const { roles: _, tiers, ...kept } = former.config;
  const { model } = agent;
  const own = {
    agents: [{ name: agent.preset, preset: agent.preset }],
    tiers: model === "" ? tiers : { code: model, mid: model, high: model },
  };
  await writeFile(config, stringify({ ...kept, ...own, ...changes }));
  const workflow = path.join(files, WORKFLOW_PATH);
  await writeFile(workflow, addSettings(await readFile(workflow, "utf8"), agent.settings));
}

function addSettings(workflow: string, settings: LocalAgent["settings"]): string {
  const lines = Object.entries(settings).map(([name, value]) => `          ${name}: ${JSON.stringify(value)}\n`);
  return workflow.replace(/^ {10}ANTHROPIC_API_KEY: .*\n/mu, (line) => `${lines.join("")}${line}`);
}
