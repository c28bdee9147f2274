import { parseMarker } from "../../contracts/names.ts";
import type { Labeling, RepositoryPort } from "../../github/port.ts";

/** Begins the key of what is said while a label waits for the end of a former run. */
export const WAITING = "unfinished:";

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
  return comments.some(({ own, createdAt, body }) => {
    const marker = own && createdAt >= labeling.at ? parseMarker(body) : null;
    // That a label has to wait is no answer to it.
    return marker !== null && !marker.key.startsWith(WAITING);
  });
}
