/** I4: an agent whose provider refuses is not sent out before its time, nor at all where only a person helps. */
import type { Config } from "../../../src/contracts/config.ts";
import type { JobRequest } from "../../../src/contracts/job.ts";
import type { Fact } from "../../../src/engine/fact.ts";
import type { Invariant, Watch } from "./invariant.ts";

/** No outage is believed to last longer, whatever a job says. */
const LONGEST_MS = 12 * 60 * 60_000;
/** However short an outage is, nobody asks again at once. */
const SHORTEST_MS = 30_000;

/** After these something else may be right to do: somebody has acted, or what the job worked for has changed. */
const NEWS: ReadonlySet<Fact["kind"]> = new Set([
  "CommandReceived",
  "PersonPushed",
  "PlanApproved",
  "PlanCommitted",
  "RunRebuilt",
  "PullSettled",
]);

export function watchOutages(watch: Watch): Invariant {
  const { model, violated } = watch;
  const agents = new Map<string, string>();
  const shutUntil = new Map<string, number>();
  /** By what is asked for, without the number of the job: what stops it. */
  const stopped = new Map<string, string>();
  const begunAt = new Map<string, number>();
  let newsAt = 0;

  function book({ job, outcome, remedy }: Extract<Fact, { kind: "JobEnded" }>, at: number): void {
    const agent = agents.get(job);
    if (agent === undefined) return;
    const provider = findProvider(watch.ledger.config, agent);
    if (remedy?.kind === "wait") shutUntil.set(provider, Math.min(remedy.until ?? at + SHORTEST_MS, at + LONGEST_MS));
    else if (outcome === "done" || outcome === "unusable") shutUntil.delete(provider);
    if (remedy?.kind === "person" && /\/(?:plan|implement:[^/]+)\//u.test(job) && (begunAt.get(job) ?? 0) >= newsAt)
      stopped.set(cutNumber(job), job);
  }

  return {
    onFact({ fact, at }) {
      if (NEWS.has(fact.kind)) {
        stopped.clear();
        newsAt = at;
      }
      if (fact.kind === "RunStarted") for (const known of [agents, shutUntil, stopped]) known.clear();
      if (fact.kind === "JobEnded") book(fact, at);
      if (fact.kind === "EffectStarted" && fact.agent !== undefined) {
        const until = shutUntil.get(findProvider(watch.ledger.config, fact.agent)) ?? 0;
        if (at < until)
          violated("I4", `${fact.effect} is sent out although its provider refuses for ${until - at} ms more`);
        const before = stopped.get(cutNumber(fact.effect.replace(/^job:/u, "")));
        if (before !== undefined)
          violated("I4", `${fact.effect} is sent out although only a person can mend what stopped ${before}`);
      }
      if (fact.kind !== "JobDispatched") return;
      begunAt.set(fact.job, at);
      if (fact.agent !== undefined) agents.set(fact.job, fact.agent);
      const request = fact.runId === null ? undefined : model.runs.get(fact.runId)?.inputs["request"];
      if (fact.attempt === null || request === undefined) return;
      const { commit } = JSON.parse(request) as JobRequest;
      if (commit !== fact.attempt.base)
        violated("I1", `${fact.job} began at ${commit}, and ${fact.attempt.base} is noted`);
    },
  };
}

function cutNumber(job: string): string {
  return job.slice(0, job.lastIndexOf("/"));
}

/** Agents of one preset ask the same provider; a command asks whom it likes. */
function findProvider(config: Config | null, agent: string): string {
  const entry = config?.agents.find(({ name }) => name === agent);
  return entry === undefined || entry.preset === "command" ? `command:${agent}` : entry.preset;
}
