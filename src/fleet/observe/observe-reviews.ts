import type { Fact } from "../../engine/fact.ts";
import type { Review } from "../../github/port.ts";
import { mayCommand } from "../may-command.ts";
import type { RunSession } from "../run-session.ts";

/** Writers whose newest review that says anything asks for changes. */
export async function observeReviews(
  session: RunSession,
  pull: number,
  reviews: readonly Review[],
): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const standing = new Map<string, "APPROVED" | "CHANGES_REQUESTED" | "DISMISSED">();
  for (const review of reviews) {
    if (review.own || review.author.bot) continue;
    // A later comment does not take back what was requested; a dismissal does.
    if (review.state === "APPROVED" || review.state === "CHANGES_REQUESTED" || review.state === "DISMISSED")
      standing.set(review.author.login, review.state);
  }
  const blockers: string[] = [];
  for (const [login, verdict] of standing)
    if (verdict === "CHANGES_REQUESTED" && mayCommand(await repository.loadRole(login))) blockers.push(login);
  blockers.sort();
  const known = state.blockers[pull];
  if ((known?.logins ?? []).join() === blockers.join()) return [];
  return [{ kind: "ReviewsObserved", pull, blockers, n: (known?.n ?? 0) + 1 }];
}
