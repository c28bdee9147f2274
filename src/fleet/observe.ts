/** What is looked at on GitHub, because of a hint or because it is overdue, and the facts that come of it. */
import { deriveAcceptStep } from "../engine/derive/accept-progress.ts";
import { listOpenJobs } from "../engine/derive/jobs.ts";
import type { Fact } from "../engine/fact.ts";
import type { JobId } from "../contracts/ids.ts";
import { observeCi } from "./observe/observe-ci.ts";
import { listConversations, observeComments } from "./observe/observe-comments.ts";
import { observeJob } from "./observe/observe-job.ts";
import { observePull } from "./observe/observe-pull.ts";
import { loadTip } from "./observe/tip.ts";
import type { RunSession } from "./run-session.ts";

/** A thing to look at. Its text is also the hint that points at it. */
export type Target = `job:${string}` | `comments:${number}` | `pull:${number}` | "tip" | "source" | "ci" | "issue";

/** Everything worth watching in this state. */
export function listTargets(session: RunSession): readonly Target[] {
  const { state, fleet } = session;
  const targets: Target[] = [];
  for (const job of listOpenJobs(state)) targets.push(`job:${job.job}`);
  const numbers = listConversations(session);
  for (const number of numbers) {
    if (number !== state.run.issue) {
      const settled = [
        ...Object.values(state.chunks).flatMap((chunk) => chunk.pulls),
        ...(state.featurePull === null ? [] : [state.featurePull]),
      ];
      if (settled.some((pull) => pull.number === number && pull.settled !== null)) continue;
      targets.push(`pull:${number}`);
    }
    targets.push(`comments:${number}`);
  }
  if (state.integration !== null && state.ended === null) targets.push("tip");
  const step = deriveAcceptStep(state, fleet.clock.now());
  if (step.step === "ci" || (step.step === "person" && step.problem === "late")) targets.push("ci");
  return targets;
}

/** Which targets a hint points at. */
export function readHint(session: RunSession, hint: string): readonly Target[] {
  const all = listTargets(session);
  return hint === "sweep" ? all : all.filter((target) => target === hint);
}

export async function observe(session: RunSession, target: Target): Promise<readonly Fact[]> {
  const [kind, rest] = split(target);
  switch (kind) {
    case "job": {
      const job = session.state.jobs[rest as JobId];
      return job === undefined ? [] : observeJob(session, job);
    }
    case "comments":
      return observeComments(session, Number(rest));
    case "pull":
      return observePull(session, Number(rest));
    case "ci":
      return observeCi(session);
    case "tip":
      return loadTip(session);
    default:
      return [];
  }
}

function split(target: Target): readonly [kind: string, rest: string] {
  const colon = target.indexOf(":");
  return colon === -1 ? [target, ""] : [target.slice(0, colon), target.slice(colon + 1)];
}
