import { GitHubFailure } from "../contracts/errors.ts";
import { formatMarker, hasMarker, type Marker } from "../contracts/names.ts";
import type { Comment, RepositoryPort } from "../github/port.ts";
import type { Fleet } from "./context.ts";

/** A process that dies may have sent its last request this long after it noted that it would. */
const REQUEST_MS = 30_000;

const DONE = "done";

/**
 * Posts a comment outside of any run, once and for all: the try is noted before it is made, and one whose end
 * nobody knows is looked for, once replicas agree, before it is repeated.
 * @throws GitHubFailure transient while it is too early to look.
 */
export async function postOnce(
  fleet: Pick<Fleet, "store" | "clock" | "timing">,
  repository: RepositoryPort,
  issue: number,
  marker: Marker,
  text: string,
): Promise<void> {
  const { store, clock, timing } = fleet;
  const setting = formatSetting(repository, issue, marker);
  const noted = await store.loadSetting(setting);
  if (noted === DONE) return;
  const lookFrom = Number(noted ?? 0) + timing.staleReadMs + REQUEST_MS;
  if (noted !== null && clock.now() < lookFrom)
    throw new GitHubFailure("transient", `It may have been said already: ${marker.key}.`, {
      retryAfterMs: lookFrom - clock.now(),
    });
  if ((await findOwnComment(repository, issue, marker)) === null) {
    await store.putSetting(setting, `${clock.now()}`);
    await repository.createComment(issue, `${text}\n\n${formatMarker(marker)}`);
  }
  await store.putSetting(setting, DONE);
}

/** How far {@link postOnce} has come with it: known at once, whatever replicas show. */
export async function loadTold(
  fleet: Pick<Fleet, "store">,
  repository: RepositoryPort,
  issue: number,
  marker: Marker,
): Promise<"no" | "begun" | "done"> {
  const noted = await fleet.store.loadSetting(formatSetting(repository, issue, marker));
  return noted === null ? "no" : noted === DONE ? "done" : "begun";
}

function formatSetting(repository: RepositoryPort, issue: number, marker: Marker): string {
  return `told:${repository.ref.id}:${issue}:${marker.run}:${marker.key}`;
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
