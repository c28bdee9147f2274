/**
 * Where people say something to a run has numbers of three kinds: of comments, of reviews, and of presses of a button,
 * which have none. One number stands for any of them: a comment's is its own.
 */

/** Far above every number of GitHub's, and far enough below the presses. */
const FIRST_REVIEW = 2 ** 51;
const FIRST_PRESS = 2 ** 52;

export type Saying =
  | { readonly kind: "comment"; readonly id: number }
  | { readonly kind: "review"; readonly id: number }
  | { readonly kind: "press"; readonly id: number };

/** @param saying with GitHub's own number, or for a press any number below 2^52 that is its alone. */
export function formatSaying({ kind, id }: Saying): number {
  switch (kind) {
    case "comment":
      return id;
    case "review":
      return FIRST_REVIEW + id;
    case "press":
      return FIRST_PRESS + id;
  }
}

export function parseSaying(number: number): Saying {
  if (number >= FIRST_PRESS) return { kind: "press", id: number - FIRST_PRESS };
  if (number >= FIRST_REVIEW) return { kind: "review", id: number - FIRST_REVIEW };
  return { kind: "comment", id: number };
}
