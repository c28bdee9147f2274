import { serializePullSimple, serializeReview } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { Review } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { emitEvent } from "../webhooks/emit-event.ts";

/**
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request_review: states are in
 * lower case here and in upper case in the API.
 */
export function emitReview(
  services: Services,
  repository: Repository,
  review: Review,
  event: {
    readonly action: "submitted" | "dismissed" | "edited";
    readonly sender: Account;
    readonly changes?: Readonly<Record<string, unknown>>;
  },
): void {
  const pull = repository.pulls.get(review.pullNumber);
  if (pull === undefined) return;
  const shown = serializeReview(services, repository, review);
  emitEvent(services, repository, {
    event: "pull_request_review",
    action: event.action,
    sender: event.sender,
    payload: {
      review: { ...shown, state: shown.state.toLowerCase() },
      pull_request: serializePullSimple(services, repository, pull),
      ...(event.changes === undefined ? {} : { changes: event.changes }),
    },
  });
}
