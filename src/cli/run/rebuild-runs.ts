import { GitHubFailure, UserError } from "../../contracts/errors.ts";
import { isRunKey, type RunKey } from "../../contracts/ids.ts";
import { parseBranch } from "../../contracts/names.ts";
import { systemClock } from "../../fleet/clock.ts";
import { ImmutableReads } from "../../fleet/immutable-reads.ts";
import { openDataStore } from "../../fleet/open-data-store.ts";
import { rebuildRun, type Rebuilt } from "../../fleet/rebuild-run.ts";
import type { ServeSettings } from "../../fleet/serve-settings.ts";
import { createGitHubPort } from "../../github/octokit-port.ts";
import type { RepositoryPort } from "../../github/port.ts";
import type { Store } from "../../store/port.ts";

/** What became of one run. */
export type Attempt =
  | { readonly outcome: "rebuilt"; readonly rebuilt: Rebuilt }
  | { readonly outcome: "failed"; readonly run: string; readonly why: string };

/**
 * Reads runs back into the store, one after the other: one that cannot be read does not hinder the others. The App
 * must not run on the same store meanwhile.
 *
 * @param runKey null = every run whose branch is there and which the store does not know.
 * @throws UserError, StoreFailure or GitHubFailure where nothing can be read back at all.
 */
export async function* rebuildRuns(
  settings: ServeSettings,
  owner: string,
  name: string,
  runKey: string | null,
): AsyncGenerator<Attempt, void> {
  if (runKey !== null && !isRunKey(runKey))
    throw new UserError(
      `\`${runKey.slice(0, 100)}\` is no run key: it stands in the names of the run's branches, \`taskfleet/<run key>/integration\`.`,
    );
  const github = createGitHubPort({
    appId: settings.appId,
    privateKey: settings.privateKey,
    baseUrl: settings.baseUrl,
  });
  // Asked first: a database is made only where there is something to read back.
  const ref = await github.loadRepositoryRef(owner, name);
  if (ref === null)
    throw new UserError(`The App is not installed on ${owner}/${name}, or there is no such repository.`);
  const store = await openDataStore(settings);
  try {
    const keys = runKey === null ? await listUnknownRuns(github.repository(ref), store, ref.id) : [runKey];
    for (const key of keys) {
      try {
        const parts = { github, store, clock: systemClock, reads: new ImmutableReads() };
        yield { outcome: "rebuilt", rebuilt: await rebuildRun(parts, ref, key) };
      } catch (error) {
        if (!(error instanceof UserError) && !(error instanceof GitHubFailure)) throw error;
        yield { outcome: "failed", run: key, why: error.message };
      }
    }
  } finally {
    await store.close();
  }
}

/** @throws UserError when there is none. */
async function listUnknownRuns(
  repository: Pick<RepositoryPort, "loadBranches">,
  store: Store,
  repositoryId: number,
): Promise<readonly RunKey[]> {
  const branches = (await repository.loadBranches("taskfleet/")).map(parseBranch);
  const keys = branches.flatMap((branch) => (branch?.kind === "integration" ? [branch.run] : []));
  if (keys.length === 0)
    throw new UserError(
      "There is no branch `taskfleet/<run key>/integration`: no run is under way in this repository.",
    );
  const unknown: RunKey[] = [];
  for (const key of keys) if ((await store.loadRun({ repositoryId, runKey: key })) === null) unknown.push(key);
  return unknown;
}
