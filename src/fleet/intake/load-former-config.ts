import { UserError } from "../../contracts/errors.ts";
import type { RunKey, Sha } from "../../contracts/ids.ts";
import { CONFIG_PATH, formatEvidencePath } from "../../contracts/names.ts";
import { parseConfig } from "../../contracts/parse-config.ts";
import type { RunStarted } from "../../engine/fact.ts";
import type { Repository, RepositoryPort } from "../../github/port.ts";
import { loadConfig } from "./load-config.ts";

type FormerConfig = Pick<RunStarted, "config" | "configText"> & { readonly blob: Sha | null };

/**
 * The configuration a run began with, where it was committed with the run; otherwise what it is now.
 * @param began the commit the run's evidence begins with. @throws UserError when what it is now is not valid.
 */
export async function loadFormerConfig(
  repository: RepositoryPort,
  about: Repository,
  began: { readonly run: RunKey; readonly commit: Sha },
): Promise<FormerConfig> {
  const file = await repository.loadFile(formatEvidencePath(began.run, { kind: "config" }), began.commit);
  const committed = file === null ? null : parseConfig(file.text).config;
  if (file !== null && committed !== null) return { config: committed, configText: file.text, blob: file.sha };
  const loaded = await loadConfig(repository, about);
  if (loaded.outcome === "problems") throw new UserError(`\`${CONFIG_PATH}\` is not valid; mend it first.`);
  const { config, blob, text } = loaded;
  // A file made of several that was not committed then is committed nowhere the jobs look.
  if (text !== null)
    throw new UserError(
      "The configuration is made of several files now and was not when the run began: restore it as it was, then read the run back.",
    );
  return { config, blob };
}
