import { parseMarker } from "../../contracts/names.ts";
import type { Labeling, RepositoryPort } from "../../github/port.ts";

/**
 * Whether the App has spoken on the issue since the label was set: with a run's status, or with why there is
 * none. GitHub's own memory and its clock decide, so a lost store starts nothing a second time.
 */
export async function isLabelAnswered(
  repository: RepositoryPort,
  issue: number,
  labeling: Pick<Labeling, "at">,
): Promise<boolean> {
  const comments = await repository.loadComments(issue);
  return comments.some(
    (comment) => comment.own && comment.createdAt >= labeling.at && parseMarker(comment.body) !== null,
  );
}
