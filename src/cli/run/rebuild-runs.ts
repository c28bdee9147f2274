import { UserError } from "../../contracts/errors.ts";
import { isRunKey } from "../../contracts/ids.ts";
import { systemClock } from "../../fleet/clock.ts";
import { ImmutableReads } from "../../fleet/immutable-reads.ts";
import { rebuildRun, type Rebuilt } from "../../fleet/rebuild-run.ts";
import { openDataStore } from "../../fleet/open-data-store.ts";
import type { ServeSettings } from "../../fleet/serve-settings.ts";
import { createGitHubPort } from "../../github/octokit-port.ts";

/**
 * Reads one run back into the (empty) store. The App must not run on the same store meanwhile.
 * @throws UserError with what is wrong, for the operator.
 */
export async function rebuildRuns(
  settings: ServeSettings,
  owner: string,
  name: string,
  runKey: string,
): Promise<Rebuilt> {
  if (!isRunKey(runKey))
    throw new UserError(
      `\`${runKey.slice(0, 100)}\` is no run key: it stands in the names of the run's branches, \`taskfleet/<run key>/integration\`.`,
    );
  const store = await openDataStore(settings);
  try {
    const github = createGitHubPort({
      appId: settings.appId,
      privateKey: settings.privateKey,
      baseUrl: settings.baseUrl,
    });
    const ref = await github.loadRepositoryRef(owner, name);
    if (ref === null)
      throw new UserError(`The App is not installed on ${owner}/${name}, or there is no such repository.`);
    return await rebuildRun({ github, store, clock: systemClock, reads: new ImmutableReads() }, ref, runKey);
  } finally {
    await store.close();
  }
}
