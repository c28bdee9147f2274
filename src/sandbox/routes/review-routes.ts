import { type ApiContext, type ApiRoutes, NEED, enter, readActor, readNumber } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { readBody } from "../http/read-body.ts";
import { allows } from "../auth/authorize.ts";
import { forbidden, notFound, unprocessable } from "../http-problem.ts";
import { isAncestor } from "../git/history.ts";
import { recordEvent } from "../issues/record-event.ts";
import { loadPullFiles } from "../pulls/load-pull-files.ts";
import { parseReviewComment } from "../pulls/parse-review-comments.ts";
import { recordReviewComments } from "../pulls/record-review.ts";
import { emitReview } from "../pulls/emit-review.ts";
import { findPullIssue, serializeReview, serializeReviewComment } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { Pull, Review, ReviewState } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { checkBodyLength } from "./issue-routes.ts";
import { findPull } from "./pull-routes.ts";

const EVENTS = ["APPROVE", "REQUEST_CHANGES", "COMMENT"] as const;
type ReviewEvent = (typeof EVENTS)[number];

const STATE_OF_EVENT: Readonly<Record<ReviewEvent, ReviewState>> = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
};

function findReview(repository: Repository, pull: Pull, c: ApiContext): Review {
  const review = repository.reviews.get(readNumber(c, "review"));
  if (review === undefined || review.pullNumber !== pull.number) throw notFound();
  return review;
}

/** Nobody judges their own pull request. https://github.com/orgs/community/discussions/6292 */
function checkOwnReview(repository: Repository, pull: Pull, reviewer: Account, event: ReviewEvent | null): void {
  if (findPullIssue(repository, pull).author.id !== reviewer.id) return;
  if (event === "APPROVE") throw unprocessable("Unprocessable Entity", ["Can not approve your own pull request"]);
  if (event === "REQUEST_CHANGES") {
    throw unprocessable("Unprocessable Entity", ["Can not request changes on your own pull request"]);
  }
}

function checkReviewBody(event: ReviewEvent | null, body: string, comments: number): void {
  checkBodyLength("PullRequestReview", body);
  const needed = event === "REQUEST_CHANGES" || (event === "COMMENT" && comments === 0);
  if (needed && body.trim() === "") throw unprocessable("Unprocessable Entity", ["Review body is required"]);
}

/** https://docs.github.com/en/rest/pulls/reviews */
export function addReviewRoutes(routes: ApiRoutes, services: Services): void {
  const { world } = services;

  routes.post("/repos/:owner/:repo/pulls/:number/reviews", async (c) => {
    const repository = enter(services, c, NEED.speakOnPulls);
    const actor = readActor(c);
    const pull = findPull(repository, c);
    const body = await readBody(c);
    const event = body.optionalChoice("event", EVENTS);
    const text = body.optionalString("body") ?? "";
    const items = body.optionalObjects("comments") ?? [];
    const pending = [...repository.reviews.values()].some(
      (review) =>
        review.pullNumber === pull.number && review.state === "PENDING" && review.author.id === actor.account.id,
    );
    if (pending)
      throw unprocessable("Unprocessable Entity", ["User can only have one pending review per pull request"]);
    checkOwnReview(repository, pull, actor.account, event);
    checkReviewBody(event, text, items.length);
    const commitId = body.optionalString("commit_id") ?? pull.headSha;
    const known = /^[0-9a-f]{40}$/.test(commitId) && (await repository.git.objects.read(commitId)) !== null;
    if (!known || !(await isAncestor(repository.git, commitId, pull.headSha))) {
      throw unprocessable("Unprocessable Entity", ["Commit could not be resolved"]);
    }
    const files = items.length > 0 ? await loadPullFiles(repository, pull) : [];
    // All or nothing: nothing is stored before every comment has found its place.
    const comments = items.map((item) => parseReviewComment(item, files));
    const review: Review = {
      id: world.ids.take("review"),
      pullNumber: pull.number,
      author: actor.account,
      body: text,
      state: event === null ? "PENDING" : STATE_OF_EVENT[event],
      commitId,
      submittedAt: event === null ? null : world.now(),
    };
    repository.reviews.set(review.id, review);
    recordReviewComments(services, repository, review, comments);
    if (event !== null) emitReview(services, repository, review, { action: "submitted", sender: actor.account });
    return c.json(serializeReview(services, repository, review));
  });

  routes.get("/repos/:owner/:repo/pulls/:number/reviews", (c) => {
    const repository = enter(services, c, NEED.readPulls);
    const pull = findPull(repository, c);
    const actor = c.get("actor");
    const viewer = "account" in actor ? actor.account.id : null;
    const reviews = [...repository.reviews.values()].filter(
      // Pending reviews are seen by their authors only.
      (review) => review.pullNumber === pull.number && (review.state !== "PENDING" || review.author.id === viewer),
    );
    return c.json(paginate(c, reviews).map((review) => serializeReview(services, repository, review)));
  });

  routes.get("/repos/:owner/:repo/pulls/:number/reviews/:review", (c) => {
    const repository = enter(services, c, NEED.readPulls);
    return c.json(serializeReview(services, repository, findReview(repository, findPull(repository, c), c)));
  });

  routes.post("/repos/:owner/:repo/pulls/:number/reviews/:review/events", async (c) => {
    const repository = enter(services, c, NEED.speakOnPulls);
    const actor = readActor(c);
    const pull = findPull(repository, c);
    const review = findReview(repository, pull, c);
    const body = await readBody(c);
    const event = body.optionalChoice("event", EVENTS);
    if (review.author.id !== actor.account.id) throw notFound();
    if (event === null || review.state !== "PENDING") {
      throw unprocessable("Unprocessable Entity", ["Can not submit a review that is not pending"]);
    }
    checkOwnReview(repository, pull, actor.account, event);
    review.body = body.optionalString("body") ?? review.body;
    review.state = STATE_OF_EVENT[event];
    review.submittedAt = world.now();
    emitReview(services, repository, review, { action: "submitted", sender: actor.account });
    return c.json(serializeReview(services, repository, review));
  });

  routes.put("/repos/:owner/:repo/pulls/:number/reviews/:review/dismissals", async (c) => {
    const repository = enter(services, c, NEED.writePulls);
    const actor = readActor(c);
    const review = findReview(repository, findPull(repository, c), c);
    const message = (await readBody(c)).string("message");
    if (review.state !== "APPROVED" && review.state !== "CHANGES_REQUESTED") {
      // https://github.com/mheap/github-action-required-labels/issues/6
      const state = review.state.toLowerCase();
      throw unprocessable("Unprocessable Entity", [`Can not dismiss a ${state} pull request review`]);
    }
    const { author, state } = review;
    review.state = "DISMISSED";
    recordEvent(services, repository, review.pullNumber, {
      actor: actor.account,
      detail: { event: "review_dismissed", reviewId: review.id, author: author.login, state, message },
    });
    emitReview(services, repository, review, { action: "dismissed", sender: actor.account });
    return c.json(serializeReview(services, repository, review));
  });

  routes.get("/repos/:owner/:repo/pulls/:number/reviews/:review/comments", (c) => {
    const repository = enter(services, c, NEED.readPulls);
    const review = findReview(repository, findPull(repository, c), c);
    const comments = [...repository.reviewComments.values()].filter((comment) => comment.reviewId === review.id);
    return c.json(paginate(c, comments).map((comment) => serializeReviewComment(services, repository, comment)));
  });

  routes.put("/repos/:owner/:repo/pulls/:number/reviews/:review", async (c) => {
    const repository = enter(services, c, NEED.speakOnPulls);
    const actor = readActor(c);
    const review = findReview(repository, findPull(repository, c), c);
    const text = (await readBody(c)).string("body");
    if (review.author.id !== actor.account.id && !allows(world, actor, repository, NEED.readAdministration)) {
      throw forbidden("Must have admin rights to Repository.");
    }
    checkBodyLength("PullRequestReview", text);
    const changes = { body: { from: review.body } };
    review.body = text;
    emitReview(services, repository, review, { action: "edited", sender: actor.account, changes });
    return c.json(serializeReview(services, repository, review));
  });
}
