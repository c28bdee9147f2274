/** I1: the feature is ready, and is merged by us, only when the repository's own checks have passed on it. */
import type { Sha } from "../../../src/contracts/ids.ts";
import type { Fact } from "../../../src/engine/fact.ts";
import { WORKFLOW_PATH } from "../../../src/contracts/names.ts";
import { APP, JUDGE, OWN_CI_PATH, TASKFLEET } from "../model/identities.ts";
import type { Invariant, Watch } from "./invariant.ts";
import { SLOWEST_READ_MS } from "./slowest-read.ts";

/** All others fail, also those that nobody has invented yet. */
const GOOD: ReadonlySet<string | null> = new Set(["success", "neutral", "skipped"]);

export function watchCi(watch: Watch): Invariant {
  const { model, violated } = watch;
  /** What the checks run on, and whether they have passed. */
  let accepted: { readonly commit: Sha; passed: boolean } | null = null;

  /** @returns what did not speak for the commit at a time, in words. */
  function findFault(commit: Sha, time: number): string | null {
    const newest = new Map<string, { readonly name: string; readonly verdict: string | null }>();
    for (const { sha, appId, timeline } of model.checks.values()) {
      const then = timeline.at(time);
      if (sha !== commit || appId === TASKFLEET.id || appId === JUDGE.id || then === undefined) continue;
      const { name, status, conclusion } = then;
      newest.set(`check ${appId} ${name}`, { name, verdict: status === "completed" ? conclusion : status });
    }
    for (const { sha, context, state, at } of model.statuses)
      if (sha === commit && at <= time) newest.set(`status ${context}`, { name: context, verdict: state });
    for (const { headSha, path, event, timeline } of model.runs.values()) {
      const then = timeline.at(time);
      if (headSha !== commit || path === WORKFLOW_PATH || then === undefined) continue;
      const { status, conclusion } = then;
      newest.set(`run ${path} ${event}`, { name: path, verdict: status === "completed" ? conclusion : status });
    }
    for (const { name, verdict } of newest.values()) if (!GOOD.has(verdict)) return `${name} says ${verdict}`;
    const awaited = model.git.files(commit).has(OWN_CI_PATH);
    return awaited && newest.size === 0 ? "none has ever run" : null;
  }

  /** What is recorded now was read a while ago: it must have been so then. */
  function judgeGathered(commit: Sha, at: number): void {
    const fault = findFault(commit, at);
    for (let time = at; time >= at - SLOWEST_READ_MS; time -= 30_000) if (findFault(commit, time) === null) return;
    violated("I1", `the repository's own checks are called passed, and ${fault ?? "they are not"}`);
  }

  function judgeUse(what: string): void {
    const { config, overrulings } = watch.ledger;
    if (config?.ci.gather !== true || accepted === null || accepted.passed) return;
    if (!overrulings.isFeatureOverruled("ci"))
      violated("I1", `${what}, and the repository's own checks have not passed on it`);
  }

  function onFact(fact: Fact, at: number): void {
    switch (fact.kind) {
      case "RunStarted":
        accepted = null;
        return;
      case "AcceptCommitted":
        accepted = { commit: fact.commit, passed: false };
        return;
      case "CiGathered":
        if (fact.state !== "pass" || accepted?.commit !== fact.commit) return;
        judgeGathered(fact.commit, at);
        accepted.passed = true;
        return;
      case "FeatureReady":
        judgeUse("the feature is called ready");
        return;
      default:
    }
  }

  return {
    onFact: ({ fact, at }) => onFact(fact, at),
    onHappening(happening) {
      if (happening.kind === "ref" && happening.by.login === APP.login && happening.branch === watch.ledger.source)
        judgeUse("the feature was merged");
    },
  };
}
