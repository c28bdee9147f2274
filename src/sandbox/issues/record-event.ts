import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { IssueEventDetail } from "../state/issue.ts";
import type { Repository } from "../state/repository.ts";

/** Writes an event into the history of an issue or pull request. */
export function recordEvent(
  services: Services,
  repository: Repository,
  issueNumber: number,
  event: { readonly actor: Account; readonly detail: IssueEventDetail },
): void {
  const { world } = services;
  const app = [world.app, world.actionsApp].find(({ bot }) => bot.id === event.actor.id);
  repository.events.push({
    id: world.ids.take("event"),
    issueNumber,
    at: world.now(),
    appId: app?.id ?? null,
    ...event,
  });
}
