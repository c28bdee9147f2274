import { GitHubFailure } from "../contracts/errors.ts";
import type { InstallationClient } from "./installation-client.ts";
import { hasNextPage, PAGE_SIZE } from "./load-pages.ts";
import type { RepositoryRef } from "./port.ts";

/** @param clientOf a client in the name of an installation; null = of the App itself. */
export async function loadRepositories(
  clientOf: (installation: number | null) => InstallationClient,
): Promise<readonly RepositoryRef[]> {
  const refs: RepositoryRef[] = [];
  for (const installation of await loadInstallations(clientOf(null))) {
    try {
      refs.push(...(await loadOfInstallation(clientOf(installation), installation)));
    } catch (error) {
      // Suspended or taken back a moment ago, or out of order: the others are not held up by it.
      if (!(error instanceof GitHubFailure)) throw error;
    }
  }
  return refs;
}

async function loadInstallations(client: InstallationClient): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await client.send("GET /app/installations", { per_page: PAGE_SIZE, page });
    for (const { id, suspended_at: suspended } of answer.data) if (suspended === null) ids.push(id);
    if (!hasNextPage(answer)) return ids;
  }
}

async function loadOfInstallation(client: InstallationClient, installationId: number): Promise<RepositoryRef[]> {
  const refs: RepositoryRef[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await client.send("GET /installation/repositories", { per_page: PAGE_SIZE, page });
    for (const { id, owner, name, archived } of answer.data.repositories)
      if (!archived) refs.push({ id, owner: owner.login, name, installationId });
    if (!hasNextPage(answer)) return refs;
  }
}
