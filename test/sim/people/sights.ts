/** What anybody sees on GitHub. */
import { parseMarker } from "../../../src/contracts/names.ts";
import type { GitHubModel } from "../model/github-model.ts";
import { APP } from "../model/identities.ts";
import type { ModelPull } from "../model/things.ts";

export interface Question {
  readonly key: string;
  /** Where it is asked. */
  readonly on: number;
  readonly text: string;
}

/** What the App asks people. */
export function listQuestions(model: GitHubModel): readonly Question[] {
  const questions: Question[] = [];
  for (const comment of model.comments.values()) {
    if (comment.author.login !== APP.login) continue;
    const text = comment.timeline.now;
    const key = parseMarker(text)?.key ?? "";
    if (/^(?:need|approval):/u.test(key)) questions.push({ key, on: comment.issue, text });
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

/** The feature pull request, while it is open. */
export function findFeature(model: GitHubModel): ModelPull | null {
  for (const pull of model.pulls.values())
    if (pull.timeline.now.state === "open" && pull.base === model.defaultBranch && pull.head.endsWith("/integration"))
      return pull;
  return null;
}

/** The feature pull request, once it waits to be merged. */
export function findReady(model: GitHubModel): ModelPull | null {
  const feature = findFeature(model);
  return feature?.timeline.now.draft === false ? feature : null;
}
