import { GitHubFailure } from "../contracts/errors.ts";
import { formatCode } from "../contracts/markdown.ts";
import { loadPages } from "./load-pages.ts";
import { type Author, parseActor } from "./parse-actor.ts";
import type { RepositoryPort, Review, ReviewComment } from "./port.ts";
import type { RepositoryClient } from "./repository-client.ts";

/** GitHub takes 65,536 characters. What our texts hold (60,000) and their marker always fit. */
const bodyCap = 65_000;

export function createReviews(
  client: RepositoryClient,
  isOwn: (author: Author) => Promise<boolean>,
): Pick<RepositoryPort, "loadReviews" | "createReview" | "dismissReview"> {
  return {
    async loadReviews(pull) {
      const pages = await loadPages(client, "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", {
        pull_number: pull,
      });
      const reviews: Review[] = [];
      for (const review of pages.flatMap((page) => page.data)) {
        reviews.push({
          id: review.id,
          body: review.body,
          author: parseActor(review.user),
          own: await isOwn(review.user),
          state: parseState(review.state),
          commit: review.commit_id,
          submittedAt: Date.parse(review.submitted_at ?? ""),
          url: review.html_url,
        });
      }
      return reviews;
    },
    async createReview(pull, review) {
      const create = async (body: string, comments: readonly ReviewComment[]) => {
        const { data } = await client.send("POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews", {
          pull_number: pull,
          commit_id: review.sha,
          event: review.event,
          body: cut(body),
          ...(comments.length === 0 ? {} : { comments: comments.map(formatComment) }),
        });
        return { id: data.id, url: data.html_url };
      };
      try {
        return await create(review.body, review.comments);
      } catch (error) {
        if (review.comments.length === 0 || !isOutsideDiff(error)) throw error;
        return create(`${review.body}\n\n${review.comments.map(formatInBody).join("\n\n")}`, []);
      }
    },
    async dismissReview(pull, review, message) {
      try {
        await client.send("PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals", {
          pull_number: pull,
          review_id: review,
          message,
        });
      } catch (error) {
        // Dismissed already, or never more than a comment: 422; deleted with its author: 404.
        const status = error instanceof GitHubFailure ? error.details.status : undefined;
        if (status !== 404 && status !== 422) throw error;
      }
    },
  };
}

/** One comment outside the diff and GitHub refuses the whole review, naming a line, path, position or thread. */
function isOutsideDiff(error: unknown): boolean {
  if (!(error instanceof GitHubFailure) || error.details.status !== 422) return false;
  return !/own pull request/iu.test(error.message) && /\b(?:line|path|diff|position|thread|hunk)/iu.test(error.message);
}

function formatComment(comment: ReviewComment) {
  const { path, line, startLine, body } = comment;
  const start = startLine !== undefined && startLine < line ? { start_line: startLine, start_side: "RIGHT" } : {};
  return { path, line, side: "RIGHT", ...start, body };
}

function formatInBody({ path, line, startLine, body }: ReviewComment): string {
  const lines = startLine === undefined || startLine >= line ? `line ${line}` : `lines ${startLine}–${line}`;
  return `${formatCode(path)}, ${lines}:\n\n${body}`;
}

function cut(body: string): string {
  return body.length <= bodyCap ? body : `${body.slice(0, bodyCap)}\n\n… (cut)`;
}

/** A state unknown to us is no approval. */
function parseState(state: string): Review["state"] {
  switch (state) {
    case "APPROVED":
    case "CHANGES_REQUESTED":
    case "DISMISSED":
    case "PENDING":
      return state;
    default:
      return "COMMENTED";
  }
}
