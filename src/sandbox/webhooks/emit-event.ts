import { serializeAccount, serializeOrganization } from "../serialize/serialize-account.ts";
import { serializeRepository } from "../serialize/serialize-repository.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import { formatNodeId } from "../state/ids.ts";
import type { Repository } from "../state/repository.ts";

export interface RepositoryEvent {
  readonly event: string;
  readonly action: string | null;
  readonly sender: Account;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Completes a payload with what every repository event carries.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#webhook-payload-object-common-properties
 */
export function buildPayload(
  services: Services,
  repository: Repository,
  { action, sender, payload }: RepositoryEvent,
): Record<string, unknown> {
  const installation = services.world.findInstallation(repository);
  return {
    ...(action === null ? {} : { action }),
    ...payload,
    repository: serializeRepository(services.urls, repository),
    ...(repository.owner.type === "Organization"
      ? { organization: serializeOrganization(services.urls, repository.owner) }
      : {}),
    sender: serializeAccount(services.urls, sender),
    ...(installation === null
      ? {}
      : {
          installation: {
            id: installation.id,
            node_id: formatNodeId("MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9u", installation.id),
          },
        }),
  };
}

/** Sends a repository's event to the App, if it is installed there, subscribed and not suspended. */
export function emitEvent(services: Services, repository: Repository, event: RepositoryEvent): void {
  if (!services.webhooks.subscribed(event.event)) return;
  const installation = services.world.findInstallation(repository);
  if (installation === null || installation.suspendedAt !== null) return;
  services.webhooks.emit({
    event: event.event,
    action: event.action,
    repositoryId: repository.id,
    installationId: installation.id,
    payload: buildPayload(services, repository, event),
  });
}
