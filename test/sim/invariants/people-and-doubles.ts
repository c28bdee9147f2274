/** I6, I7: nothing visible is doubled; nobody without write access moves a run. */
import { parseCommands } from "../../../src/contracts/commands.ts";
import { parseSaying } from "../../../src/contracts/saying.ts";
import { sanitiseIntent } from "../../../src/contracts/sanitise.ts";
import { parseMarker } from "../../../src/contracts/names.ts";
import type { Actor } from "../../../src/github/port.ts";
import type { GitHubModel } from "../model/github-model.ts";
import { APP, REVIEWER } from "../model/identities.ts";
import type { Invariant, Watch } from "./invariant.ts";

export function watchDoubles({ model, violated }: Watch): Invariant {
  const seen = new Set<string>();
  const once = (key: string, what: string): void => {
    if (seen.has(key)) violated("I6", what);
    seen.add(key);
  };
  return {
    onHappening(happening) {
      switch (happening.kind) {
        case "comment": {
          const { comment } = happening;
          if (comment.author.login !== APP.login) return;
          const marker = parseMarker(comment.timeline.now);
          if (marker === null) violated("I6", "a comment of ours has no marker: it could never be found again");
          else
            once(`comment:${comment.issue}:${marker.run}:${marker.key}`, `the comment ${marker.key} was posted twice`);
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

export function watchAuthority({ model, violated }: Watch): Invariant {
  const mayWrite = (login: string): boolean =>
    ["admin", "maintain", "write"].includes(model.roles.get(login) ?? "none");
  const isLabeled = (number: number, intent: string): boolean => {
    const issue = model.issues.get(number);
    return (issue?.labelings ?? []).some(({ by, at }) => {
      const then = issue?.timeline.at(at);
      return mayWrite(by.login) && !by.bot && then !== undefined && sanitiseIntent(then.title, then.body) === intent;
    });
  };
  return {
    onFact({ fact }) {
      if (fact.kind === "RunStarted" && (!mayWrite(fact.actor) || fact.actor.endsWith("[bot]")))
        violated("I7", `${fact.actor} started a run`);
      if (fact.kind === "RunStarted" && !isLabeled(fact.issue, fact.intent))
        violated("I7", "a run began on a text over which nobody with write access has set the label");
      if (fact.kind !== "CommandReceived") return;
      const said = findSaid(model, fact.comment);
      if (said === null) {
        violated("I7", `nothing that people wrote has the number ${fact.comment}`);
        return;
      }
      const { author, text } = said;
      if (author.bot || author.login === APP.login || !mayWrite(author.login))
        violated("I7", `a command of ${author.login} was obeyed`);
      if (parseCommands(text)[fact.line]?.name !== fact.name)
        violated("I7", `nobody wrote /${fact.name} in comment ${fact.comment}`);
    },
  };
}

/** A comment or review as it was written. */
function findSaid(model: GitHubModel, number: number): { readonly author: Actor; readonly text: string } | null {
  const { kind, id } = parseSaying(number);
  if (kind === "review") {
    const review = model.reviews.find((one) => one.id === id);
    return review === undefined ? null : { author: review.author, text: review.body };
  }
  const comment = kind === "comment" ? model.comments.get(id) : undefined;
  return comment === undefined ? null : { author: comment.author, text: comment.timeline.at(comment.createdAt) ?? "" };
}
