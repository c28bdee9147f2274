/** I1, I3: where the integration branch is believed to be, and what is begun there. */
import type { Sha } from "../../../src/contracts/ids.ts";
import { parseBranch } from "../../../src/contracts/names.ts";
import type { Fact } from "../../../src/engine/fact.ts";
import type { Invariant, Watch } from "./invariant.ts";

export function watchTip(watch: Watch): Invariant {
  const { model, violated } = watch;
  const { git } = model;
  /** By branch: where it has been, one after the other. */
  const histories = new Map<string, Sha[]>();
  /** Where in its history the App knows the branch to be, and where it knew it to be before. */
  let place = 0;
  let believed = new Set<Sha>();
  /** The merge by which a person landed a chunk. */
  const merges = new Map<string, Sha>();

  /** Nothing goes back to where it was known to be before it was known to be elsewhere. */
  function judgeTip(sha: Sha): void {
    const history = histories.get(watch.ledger.integration ?? "") ?? [];
    const found = history.indexOf(sha, place);
    if (found >= 0) place = found;
    else if (believed.has(sha))
      violated("I3", `${sha.slice(0, 8)} is believed to be the tip again, where the branch is known to have left it`);
    believed.add(sha);
  }

  function noteMerge(number: number): void {
    const pull = model.pulls.get(number);
    const name = pull === undefined ? null : parseBranch(pull.head);
    const commit = pull?.timeline.now.mergeCommit ?? null;
    if (name?.kind === "chunk" && commit !== null && watch.ledger.chunks.get(name.chunk)?.landed !== true)
      merges.set(name.chunk, commit);
  }

  function judgeBase({ attempt }: Extract<Fact, { kind: "JobDispatched" }>): void {
    const head = model.head(watch.ledger.integration ?? "");
    if (attempt === null || head === null) return;
    merges.delete(attempt.chunk);
    for (const dep of watch.ledger.definition(attempt.chunk)?.deps ?? []) {
      const merge = merges.get(dep);
      // Who took the merge off the branch again has not landed it.
      if (merge === undefined || !git.isAncestor(merge, head) || git.isAncestor(merge, attempt.base)) continue;
      violated("I3", `${attempt.chunk} began on ${attempt.base.slice(0, 8)}, which does not hold what ${dep} brought`);
    }
  }

  return {
    onHappening(happening) {
      if (happening.kind !== "ref" || happening.to === null) return;
      const history = histories.get(happening.branch);
      if (history === undefined) histories.set(happening.branch, [happening.to]);
      else history.push(happening.to);
    },
    onFact({ fact }) {
      switch (fact.kind) {
        case "RunStarted":
          place = 0;
          believed = new Set();
          merges.clear();
          return;
        case "ChunksLanded":
          for (const chunk of fact.chunks) merges.delete(chunk);
          judgeTip(fact.commit);
          return;
        case "IntegrationCreated":
        case "PlanCommitted":
        case "AcceptCommitted":
          judgeTip(fact.commit);
          return;
        case "TipMoved":
          judgeTip(fact.sha);
          return;
        case "PullSettled":
          if (fact.outcome === "merged") noteMerge(fact.number);
          return;
        case "JobDispatched":
          judgeBase(fact);
          return;
        default:
      }
    },
  };
}
