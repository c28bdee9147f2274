/** I4, I9: what people are told about their commands is what comes of them. */
import { parseMarker } from "../../../src/contracts/names.ts";
import type { Happening } from "../model/happening.ts";
import { APP } from "../model/identities.ts";
import type { Invariant, Watch } from "./invariant.ts";

/** A process that stands still may finish what it had begun before anybody asked for changes. */
const BEGUN_MS = 15 * 60_000;

/** Nothing that is commanded once a run is cancelled or merged is called done. */
export function watchRefusals(watch: Watch): Invariant {
  const { violated } = watch;
  /** Per comment, in order: whether each command may be called done. */
  const commands = new Map<number, boolean[]>();
  let merged = false;
  return {
    onFact({ fact }) {
      if (fact.kind === "RunStarted") merged = false;
      if (fact.kind === "FeatureMerged") merged = true;
      if (fact.kind !== "CommandReceived") return;
      const { cancelled, ended } = watch.ledger;
      const again = fact.name === "cancel" && cancelled && !merged && ended === null;
      const asks = fact.name === "status" || fact.name === "help" || again;
      const may = asks || !(cancelled || merged || ended !== null);
      commands.set(fact.comment, [...(commands.get(fact.comment) ?? []), may]);
    },
    onHappening(happening) {
      if (happening.kind !== "comment" || happening.comment.author.login !== APP.login) return;
      const text = happening.comment.timeline.now;
      const answered = /^answer:([0-9]+)$/u.exec(parseMarker(text)?.key ?? "")?.[1];
      if (answered === undefined) return;
      const icons = [...text.matchAll(/^- (✅|❌) /gmu)].map((match) => match[1]);
      for (const [index, may] of (commands.get(Number(answered)) ?? []).entries())
        if (!may && icons[index] === "✅") violated("I4", `comment ${answered} is obeyed although the run is over`);
    },
  };
}

/** Nothing lands of which a writer has requested changes, unless somebody overruled that. */
export function watchRequests(watch: Watch): Invariant {
  const { model, violated } = watch;
  const { git } = model;
  /** When the App learned of what stands on a pull request. */
  const known = new Map<number, number>();

  function judge(pull: number, what: string): void {
    const logins = watch.ledger.overrulings.listRequests(pull);
    if (logins.length > 0 && model.time.now() - (known.get(pull) ?? model.time.now()) >= BEGUN_MS)
      violated("I4", `${what} although ${logins.join(", ")} requested changes on pull request ${pull}`);
  }

  function onRef({ branch, by, from, to }: Extract<Happening, { kind: "ref" }>): void {
    if (by.login !== APP.login || from === null || to === null) return;
    if (branch === watch.ledger.source) {
      for (const pull of model.pulls.values())
        if (pull.head === watch.ledger.integration && pull.timeline.now.state === "open")
          judge(pull.number, "the feature was merged");
      return;
    }
    if (branch !== watch.ledger.integration) return;
    const { parents } = git.commit(to);
    if (parents[1] === undefined) return;
    const heads = [parents[1], ...git.commit(parents[1]).parents.slice(1)];
    for (const pull of model.pulls.values())
      if (pull.base === branch && pull.timeline.now.state === "open" && heads.includes(pull.timeline.now.headSha))
        judge(pull.number, `${pull.head} landed`);
  }

  return {
    onFact({ fact, at }) {
      if (fact.kind === "RunStarted") known.clear();
      if (fact.kind === "ReviewsObserved") known.set(fact.pull, at);
    },
    onHappening(happening) {
      if (happening.kind === "ref") onRef(happening);
      if (happening.kind === "merge" && happening.by.login === APP.login)
        judge(happening.pull.number, "the feature was merged");
    },
  };
}
