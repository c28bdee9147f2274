import { type ApiRoutes, NEED, enter, readActor, readNumber } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { readBody } from "../http/read-body.ts";
import { allows } from "../auth/authorize.ts";
import { forbidden, notFound } from "../http-problem.ts";
import { loadPullFiles } from "../pulls/load-pull-files.ts";
import { parseReviewComment } from "../pulls/parse-review-comments.ts";
import { recordReviewComments } from "../pulls/record-review.ts";
import { emitReview } from "../pulls/emit-review.ts";
import { serializeReviewComment } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import type { Review } from "../state/pull.ts";
import { checkBodyLength } from "./issue-routes.ts";
import { findPull } from "./pull-routes.ts";

/** https://docs.github.com/en/rest/pulls/comments */
export function addReviewCommentRoutes(routes: ApiRoutes, services: Services): void {
  const { world } = services;

  routes.get("/repos/:owner/:repo/pulls/comments/:id", (c) => {
    const repository = enter(services, c, NEED.readPulls);
    const comment = repository.reviewComments.get(readNumber(c, "id"));
    if (comment === undefined) throw notFound();
    return c.json(serializeReviewComment(services, repository, comment));
  });

  routes.patch("/repos/:owner/:repo/pulls/comments/:id", async (c) => {
    const repository = enter(services, c, NEED.speakOnPulls);
    const actor = readActor(c);
    const comment = repository.reviewComments.get(readNumber(c, "id"));
    if (comment === undefined) throw notFound();
    if (comment.author.id !== actor.account.id && !allows(world, actor, repository, NEED.writePulls)) {
      throw forbidden("Must have admin rights to Repository.");
    }
    const text = (await readBody(c)).string("body");
    checkBodyLength("PullRequestReviewComment", text);
    comment.body = text;
    comment.updatedAt = world.now();
    return c.json(serializeReviewComment(services, repository, comment));
  });

  routes.get("/repos/:owner/:repo/pulls/:number/comments", (c) => {
    const repository = enter(services, c, NEED.readPulls);
    const pull = findPull(repository, c);
    const comments = [...repository.reviewComments.values()].filter(
      (comment) => comment.pullNumber === pull.number && repository.reviews.get(comment.reviewId)?.state !== "PENDING",
    );
    return c.json(paginate(c, comments).map((comment) => serializeReviewComment(services, repository, comment)));
  });

  // A single comment is a review of its own, already submitted.
  routes.post("/repos/:owner/:repo/pulls/:number/comments", async (c) => {
    const repository = enter(services, c, NEED.speakOnPulls);
    const actor = readActor(c);
    const pull = findPull(repository, c);
    const body = await readBody(c);
    checkBodyLength("PullRequestReviewComment", body.string("body"));
    const parts = parseReviewComment(body, await loadPullFiles(repository, pull));
    const review: Review = {
      id: world.ids.take("review"),
      pullNumber: pull.number,
      author: actor.account,
      body: "",
      state: "COMMENTED",
      commitId: body.optionalString("commit_id") ?? pull.headSha,
      submittedAt: world.now(),
    };
    repository.reviews.set(review.id, review);
    const [comment] = recordReviewComments(services, repository, review, [parts]);
    emitReview(services, repository, review, { action: "submitted", sender: actor.account });
    if (comment === undefined) throw notFound();
    return c.json(serializeReviewComment(services, repository, comment), 201);
  });
}
