import { formatMarker, hasMarker, type Marker } from "../contracts/names.ts";
import type { Comment, RepositoryPort } from "../github/port.ts";

/** Posts a comment unless our own App has posted one with this marker already. */
export async function postOnce(repository: RepositoryPort, issue: number, marker: Marker, text: string): Promise<void> {
  if ((await findOwnComment(repository, issue, marker)) !== null) return;
  await repository.createComment(issue, `${text}\n\n${formatMarker(marker)}`);
}

/** Our own comment with this marker, or null. Anybody can type a marker; only ours count. */
export async function findOwnComment(
  repository: RepositoryPort,
  issue: number,
  marker: Marker,
): Promise<Comment | null> {
  const comments = await repository.loadComments(issue);
  return comments.find((comment) => comment.own && hasMarker(comment.body, marker)) ?? null;
}
