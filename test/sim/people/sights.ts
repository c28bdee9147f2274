/** What anybody sees on GitHub. */
import { parseMarker } from "../../../src/contracts/names.ts";
import type { GitHubModel } from "../model/github-model.ts";
import { APP } from "../model/identities.ts";
import type { ModelPull } from "../model/things.ts";

/** What the App asks people, by its key, and where it asks. */
export function listQuestions(model: GitHubModel): ReadonlyArray<{ readonly key: string; readonly on: number }> {
  const questions: Array<{ key: string; on: number }> = [];
  for (const comment of model.comments.values()) {
    if (comment.author.login !== APP.login) continue;
    const key = parseMarker(comment.timeline.now)?.key ?? "";
    if (/^(?:need|approval):/u.test(key)) questions.push({ key, on: comment.issue });
  }
  return questions;
}

/** How often the App has asked for the label anew. */
export function countLabelQuestions(model: GitHubModel): number {
  return [...model.comments.values()].filter(
    (comment) => comment.author.login === APP.login && parseMarker(comment.timeline.now)?.key.startsWith("edited:"),
  ).length;
}

/** Whether the App has written a comment with such a key. */
export function hasComment(model: GitHubModel, key: RegExp): boolean {
  return [...model.comments.values()].some(
    (comment) => comment.author.login === APP.login && key.test(parseMarker(comment.timeline.now)?.key ?? ""),
  );
}

/** The feature pull request, once it waits to be merged. */
export function findReady(model: GitHubModel): ModelPull | null {
  for (const pull of model.pulls.values()) {
    const { state, draft } = pull.timeline.now;
    if (state === "open" && !draft && pull.base === model.defaultBranch && pull.head.endsWith("/integration"))
      return pull;
  }
  return null;
}
