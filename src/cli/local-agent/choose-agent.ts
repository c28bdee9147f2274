/** An installed agent program and its keys, from the environment of whoever starts a local GitHub. */
import { accessSync, constants } from "node:fs";
import path from "node:path";
import type { AgentConfig } from "../../contracts/config.ts";
import { UserError } from "../../contracts/errors.ts";
import { PRESETS } from "../../worker/presets/presets.ts";

export interface LocalAgent {
  readonly preset: Exclude<AgentConfig["preset"], "command">;
  /** For every tier; "" = the program's own default. */
  readonly model: string;
  /** Model keys, as secrets of the local repository. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Addresses of a provider, which are no secret. */
  readonly settings: Readonly<Record<string, string>>;
}

const names = ["claude", "codex", "opencode", "gemini", "copilot"] as const;
/** Programs are named like their preset. */
export const LOCAL_AGENTS: readonly LocalAgent["preset"][] = names;

/** @throws UserError that says what is missing: the name, the program or the key. */
export function chooseAgent(name: string, env: Readonly<Record<string, string | undefined>>, model = ""): LocalAgent {
  const preset = names.find((one) => one === name);
  if (preset === undefined) throw new UserError(`There is no agent "${name}"; there are ${names.join(", ")}.`);
  if (findProgram(preset, env["PATH"] ?? "") === null)
    throw new UserError(`The program \`${preset}\` is not on your PATH: install it first.`);
  const { keys, settings } = PRESETS[preset];
  const secrets = select(keys, env);
  if (Object.keys(secrets).length === 0)
    throw new UserError(`${preset} needs a key: set ${keys.join(" or ")} in your environment.`);
  return { preset, model, secrets, settings: select(settings, env) };
}

function select(
  wanted: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const found = wanted.map((name) => [name, (env[name] ?? "").trim()] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== ""));
}

/** A job's search path leaves out the tools of npm projects, so they do not count here either. */
function findProgram(name: string, searchPath: string): string | null {
  for (const folder of searchPath.split(path.delimiter)) {
    if (!path.isAbsolute(folder) || /\/node_modules\//u.test(`${folder}/`)) continue;
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
