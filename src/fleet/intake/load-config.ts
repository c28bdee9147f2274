import { createHash } from "node:crypto";
import { type Config, defaultConfig } from "../../contracts/config.ts";
import type { Sha } from "../../contracts/ids.ts";
import { CONFIG_PATH } from "../../contracts/names.ts";
import { parseConfig } from "../../contracts/parse-config.ts";
import type { Problem } from "../../contracts/problem.ts";
import type { RepositoryPort } from "../../github/port.ts";

export type LoadedConfig =
  | { readonly outcome: "read"; readonly config: Config; readonly blob: Sha | null }
  /** `hash` names this content: people are told once per content, not once per label. */
  | { readonly outcome: "problems"; readonly problems: readonly Problem[]; readonly hash: string };

/** `.github/taskfleet.yml` of the default branch; an absent file means all defaults. */
export async function loadConfig(repository: RepositoryPort, branch: string): Promise<LoadedConfig> {
  const file = await repository.loadFile(CONFIG_PATH, branch);
  if (file === null) return { outcome: "read", config: defaultConfig(), blob: null };
  const parsed = parseConfig(file.text);
  if (parsed.config !== null) return { outcome: "read", config: parsed.config, blob: file.sha };
  const hash = createHash("sha256").update(file.text).digest("hex").slice(0, 12);
  return { outcome: "problems", problems: parsed.problems, hash };
}
