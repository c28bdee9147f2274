/**
 * Keeps a tracker in step with runs that want one. What it shows is derived from the state and repeated as a whole, so
 * nothing of it is recorded: a picture that cannot be drawn now is drawn later, and no run ever waits for it.
 */
import { GitHubFailure } from "../../contracts/errors.ts";
import { listTrackerItems } from "../../engine/derive/tracker-items.ts";
import { withPriority } from "../../github/priority.ts";
import { mirrorSubIssues } from "./mirror-sub-issues.ts";
import type { RunSession } from "../run-session.ts";

const RETRY_MS = 5 * 60_000;
/** With two requests for a new one at most half of what GitHub lets an installation create in a minute. */
const MOST_WRITES = 20;

interface Shown {
  /** What was drawn last, "" before the first time. */
  readonly picture: string;
  /** Not before: another process may just have drawn what GitHub does not show yet. */
  readonly notBefore: number;
}

export class TrackerMirror {
  readonly #shown = new Map<string, Shown>();

  /** @returns when to come back, null when everything is shown. @throws GitHubFailure of kind dormant. */
  async update(session: RunSession): Promise<number | null> {
    const { state, fleet, address } = session;
    if (state.run.config.tracker !== "sub-issues") return null;
    const key = `${address.repositoryId}/${address.runKey}`;
    const items = listTrackerItems(state);
    if (items.length === 0) return null;
    const now = fleet.clock.now();
    const picture = JSON.stringify(items);
    const shown = this.#shown.get(key) ?? { picture: "", notBefore: now + fleet.timing.staleReadMs };
    this.#shown.set(key, shown);
    if (shown.picture === picture) return null;
    // The last chance is taken: who is over is not looked at again.
    if (now < shown.notBefore && state.ended === null) return shown.notBefore;
    try {
      const most = state.ended === null ? MOST_WRITES : Number.POSITIVE_INFINITY;
      const { left, complete } = await withPriority("cosmetic", () =>
        mirrorSubIssues(session.repository.tracker, state, most),
      );
      if (!complete) {
        // Reads must show what was written, or it would be written again.
        const nextAt = fleet.clock.now() + fleet.timing.staleReadMs;
        this.#shown.set(key, { ...shown, notBefore: nextAt });
        return nextAt;
      }
      if (left.length > 0)
        fleet.log.warn(
          { run: address.runKey, chunks: left },
          "an issue has room for 100 sub-issues: these are not shown",
        );
      this.#shown.set(key, { picture, notBefore: now });
      return null;
    } catch (error) {
      if (!(error instanceof GitHubFailure) || error.kind === "dormant") throw error;
      fleet.log.warn({ run: address.runKey, failure: error.kind, ...error.details }, `the tracker: ${error.message}`);
      const retryAt = now + (error.details.retryAfterMs ?? RETRY_MS);
      // What was begun may not be seen for a while.
      this.#shown.set(key, { ...shown, notBefore: Math.max(retryAt, now + fleet.timing.staleReadMs) });
      return state.ended === null ? retryAt : null;
    }
  }

  forget(session: RunSession): void {
    this.#shown.delete(`${session.address.repositoryId}/${session.address.runKey}`);
  }
}
