import { serializePull } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { Pull } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { emitEvent } from "../webhooks/emit-event.ts";

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request */
export async function emitPull(
  services: Services,
  repository: Repository,
  pull: Pull,
  event: {
    readonly action: string;
    readonly sender: Account;
    readonly extra?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  emitEvent(services, repository, {
    event: "pull_request",
    action: event.action,
    sender: event.sender,
    payload: {
      number: pull.number,
      pull_request: await serializePull(services, repository, pull),
      ...event.extra,
    },
  });
}
