import { GitHubFailure } from "../../../../src/contracts/errors.ts";
import type { RepositoryPort, Review } from "../../../../src/github/port.ts";
import type { GitHubModel } from "../github-model.ts";
import { formatUrl, type ModelApp } from "../identities.ts";
import { notFound } from "../not-found.ts";
import { createReview, dismissReview } from "../reviews.ts";
import type { Lag } from "./lag.ts";

const REVIEW_STATES = { COMMENT: "COMMENTED", APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED" } as const;

type Reviews = Pick<RepositoryPort, "loadReviews" | "createReview" | "dismissReview">;

export function createReviews(model: GitHubModel, lag: Lag, app: ModelApp): Reviews {
  return {
    async loadReviews(number) {
      const at = model.time.now() - lag("loadReviews");
      return model.reviews
        .filter((review) => review.pull === number && review.at <= at)
        .map((review): Review => ({
          id: review.id,
          body: review.body,
          author: review.author,
          own: review.author.login === app.actor.login,
          state: review.timeline.at(at) ?? review.timeline.now,
          commit: review.commit,
          submittedAt: review.at,
          url: formatUrl("pull", `${number}#pullrequestreview-${review.id}`),
        }));
    },
    async createReview(number, review) {
      const pull = model.pulls.get(number);
      if (pull === undefined) throw notFound(`pull request ${number}`);
      // docs.github.com: nobody approves a pull request of their own.
      if (review.event !== "COMMENT" && pull.author.login === app.actor.login)
        throw new GitHubFailure("terminal", "GitHub refuses (422): Can not approve your own pull request", {
          status: 422,
        });
      const { id } = createReview(model, number, app.actor, {
        body: review.body,
        state: REVIEW_STATES[review.event],
        commit: review.sha,
        comments: review.comments.length,
      });
      return { id, url: formatUrl("pull", `${number}#pullrequestreview-${id}`) };
    },
    async dismissReview(number, id) {
      dismissReview(model, number, id, app.actor);
    },
  };
}
