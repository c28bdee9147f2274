import { hasPermission } from "../auth/authorize.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { Repository } from "../state/repository.ts";
import { emitSuite, ensureSuite } from "./record-check.ts";

/**
 * A push makes GitHub open a check suite for every App with `checks: write` and tell it so.
 * https://docs.github.com/en/rest/guides/using-the-rest-api-to-interact-with-checks#about-check-suites
 */
export async function requestSuite(
  services: Services,
  repository: Repository,
  sender: Account,
  push: { readonly branch: string; readonly sha: string; readonly before: string | null },
): Promise<void> {
  const { app } = services.world;
  if (services.world.findInstallation(repository) === null || !hasPermission(app.permissions, "checks", "write"))
    return;
  const known = repository.checkSuites.size;
  const suite = ensureSuite(services, repository, {
    appId: app.id,
    headSha: push.sha,
    headBranch: push.branch,
    before: push.before,
  });
  if (repository.checkSuites.size > known)
    await emitSuite(services, repository, suite, { action: "requested", sender });
}
