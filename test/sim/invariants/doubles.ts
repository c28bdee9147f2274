/** I6: nothing visible is doubled. */
import { hasMarker, type Marker, parseMarker } from "../../../src/contracts/names.ts";
import { APP, REVIEWER } from "../model/identities.ts";
import type { Invariant, Watch } from "./invariant.ts";

export function watchDoubles({ model, violated }: Watch): Invariant {
  const seen = new Set<string>();
  const once = (key: string, what: string): void => {
    if (seen.has(key)) violated("I6", what);
    seen.add(key);
  };
  /** What people delete may be written again. */
  const isDeleted = (marker: Marker): boolean =>
    [...model.deletedComments.values()].some(({ timeline }) => hasMarker(timeline.now, marker));
  return {
    onHappening(happening) {
      switch (happening.kind) {
        case "comment": {
          const { comment } = happening;
          if (comment.author.login !== APP.login) return;
          const marker = parseMarker(comment.timeline.now);
          if (marker === null) violated("I6", "a comment of ours has no marker: it could never be found again");
          else {
            // Nobody is answered twice, wherever.
            const place = marker.key.startsWith("answer:") ? "anywhere" : `${comment.issue}`;
            if (!isDeleted(marker))
              once(`comment:${place}:${marker.run}:${marker.key}`, `the comment ${marker.key} was posted twice`);
          }
          return;
        }
        case "pull": {
          const { pull } = happening;
          if (pull.author.login !== APP.login) return;
          const open = [...model.pulls.values()].filter(
            (other) => other !== pull && other.head === pull.head && other.timeline.now.state === "open",
          );
          if (open.length > 0) violated("I6", `a second pull request was opened for ${pull.head}`);
          return;
        }
        case "review": {
          const { review } = happening;
          const own = review.author.login === APP.login || review.author.login === REVIEWER.login;
          const marker = own ? parseMarker(review.body) : null;
          if (marker !== null) once(`review:${review.pull}:${marker.key}`, `the review ${marker.key} was posted twice`);
          return;
        }
        case "check": {
          const { check } = happening;
          const { name, externalId } = check.timeline.now;
          if (name.startsWith("taskfleet"))
            once(`check:${check.sha}:${name}:${externalId}`, `the check ${name} ${externalId} was published twice`);
          return;
        }
        default:
      }
    },
  };
}
