import type { Sha } from "../../../src/contracts/ids.ts";
import type { Actor, Review } from "../../../src/github/port.ts";
import type { GitHubModel } from "./github-model.ts";
import { notFound } from "./not-found.ts";
import { buildPullPayload } from "./pulls.ts";
import type { ModelReview } from "./things.ts";
import { Timeline } from "./timeline.ts";

export function createReview(
  model: GitHubModel,
  number: number,
  author: Actor,
  review: { body: string; state: Review["state"]; commit: Sha; comments: number },
): ModelReview {
  if (!model.pulls.has(number)) throw notFound(`pull request ${number}`);
  const { state, ...rest } = review;
  const at = model.time.now();
  const made: ModelReview = {
    id: model.nextId(),
    pull: number,
    author,
    at,
    timeline: new Timeline(at, state),
    ...rest,
  };
  model.reviews.push(made);
  model.hooks.happened({ kind: "review", at: made.at, review: made });
  const pull = model.pulls.get(number);
  if (pull !== undefined)
    model.hooks.emit("pull_request_review", model.payload(author, { action: "submitted", ...buildPullPayload(pull) }));
  return made;
}

/** Takes back an approval or a request for changes; a comment stays what it is. */
export function dismissReview(model: GitHubModel, number: number, id: number, by: Actor): void {
  const review = model.reviews.find((entry) => entry.id === id && entry.pull === number);
  const pull = model.pulls.get(number);
  if (review === undefined || pull === undefined) throw notFound(`review ${id}`);
  const { now } = review.timeline;
  if (now !== "APPROVED" && now !== "CHANGES_REQUESTED") return;
  review.timeline.set(model.time.now(), "DISMISSED");
  model.hooks.emit("pull_request_review", model.payload(by, { action: "dismissed", ...buildPullPayload(pull) }));
}
