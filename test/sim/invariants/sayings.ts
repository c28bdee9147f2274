/** What people have said where a run listens: comments and the bodies of reviews, deleted ones too. */
import { formatSaying, parseSaying } from "../../../src/contracts/saying.ts";
import type { Actor } from "../../../src/github/port.ts";
import type { GitHubModel } from "../model/github-model.ts";
import type { ModelComment, ModelReview } from "../model/things.ts";

export interface Said {
  readonly number: number;
  /** The issue or pull request. */
  readonly on: number;
  readonly author: Actor;
  readonly at: number;
  /** As it was written at first. */
  readonly text: string;
  /** When it had been changed last by a time; null = it was as it had been written. */
  readonly editedBy: (time: number) => number | null;
}

export function findSaid(model: GitHubModel, number: number): Said | null {
  const { kind, id } = parseSaying(number);
  if (kind === "press") return null;
  if (kind === "review") {
    const review = model.reviews.find((one) => one.id === id);
    return review === undefined ? null : readReview(review);
  }
  const comment = model.comments.get(id) ?? model.deletedComments.get(id);
  return comment === undefined ? null : readComment(comment);
}

/** What is still there. */
export function listSaid(model: GitHubModel): readonly Said[] {
  return [...[...model.comments.values()].map(readComment), ...model.reviews.map(readReview)];
}

function readComment({ id, issue, author, createdAt, timeline }: ModelComment): Said {
  return {
    number: formatSaying({ kind: "comment", id }),
    on: issue,
    author,
    at: createdAt,
    text: timeline.at(createdAt) ?? "",
    editedBy: (time) => {
      const changed = timeline.changedBy(time) ?? createdAt;
      return changed > createdAt ? changed : null;
    },
  };
}

function readReview({ id, pull, author, at, body }: ModelReview): Said {
  return { number: formatSaying({ kind: "review", id }), on: pull, author, at, text: body, editedBy: () => null };
}
