import type { Services } from "../services.ts";
import type { Repository } from "../state/repository.ts";
import type { Review, ReviewComment } from "../state/pull.ts";
import type { ReviewCommentParts } from "./parse-review-comments.ts";

/** Stores a review's inline comments. */
export function recordReviewComments(
  services: Services,
  repository: Repository,
  review: Review,
  comments: readonly ReviewCommentParts[],
): ReviewComment[] {
  const at = services.world.now();
  return comments.map((parts) => {
    const comment: ReviewComment = {
      ...parts,
      id: services.world.ids.take("reviewComment"),
      pullNumber: review.pullNumber,
      reviewId: review.id,
      author: review.author,
      commitId: review.commitId,
      inReplyTo: null,
      createdAt: at,
      updatedAt: at,
    };
    repository.reviewComments.set(comment.id, comment);
    return comment;
  });
}
