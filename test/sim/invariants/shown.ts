/** I9: what stands on GitHub is so, and nothing is written again and again that says the same. */
import { renderCheck } from "../../../src/messages/check.ts";
import type { CheckSubject } from "../../../src/engine/action.ts";
import type { RunState } from "../../../src/engine/state.ts";
import type { GitHubModel } from "../model/github-model.ts";
import type { Timeline } from "../model/timeline.ts";

/** A request whose answer is lost is repeated, and so is one that died with its process; never so often. */
const MOST_REPEATS = 12;

/** @returns a check of the run or of a plan that says something else than is so at rest, or null. */
export function findUntrueCheck(model: GitHubModel, state: RunState): string | null {
  const { run } = state.run;
  const tip = state.integration?.tip.slice(0, 12) ?? "";
  const subjects = new Map<string, CheckSubject>([
    [`${run}:run:${tip}`, { kind: "run" }],
    ...state.revisions.map(({ rev }) => [`${run}:plan:${rev}`, { kind: "plan", rev }] as const),
  ]);
  for (const check of model.checks.values()) {
    const { externalId, name, conclusion } = check.timeline.now;
    const subject = subjects.get(externalId);
    if (subject === undefined || !name.startsWith("taskfleet")) continue;
    // What GitHub refuses is asked about in a comment.
    if (state.failures[`check:${externalId}`] !== undefined) continue;
    const wanted = renderCheck(state, subject, model.time.now()).conclusion ?? null;
    if (wanted !== conclusion)
      return `the check ${externalId} says ${conclusion ?? "nothing yet"}, and ${wanted ?? "nothing yet"} is so`;
  }
  return null;
}

/** @returns a pull request or a check that was written over and over without a difference, or null. */
export function findRestlessText(model: GitHubModel): string | null {
  for (const pull of model.pulls.values())
    if (isRestless(pull.timeline)) return `pull request ${pull.number} is edited again and again`;
  for (const check of model.checks.values())
    if (isRestless(check.timeline)) return `the check ${check.timeline.now.externalId} is written again and again`;
  return null;
}

function isRestless(timeline: Timeline<object>): boolean {
  return timeline.countRepeats((one, other) => JSON.stringify(one) === JSON.stringify(other)) > MOST_REPEATS;
}
