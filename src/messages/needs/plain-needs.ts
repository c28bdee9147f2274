import { isAgentJob } from "../../engine/derive/agent-job.ts";
import { deriveUsedBudget } from "../../engine/derive/budget.ts";
import type { Need } from "../../engine/derive/needs.ts";
import type { JobState, RunState } from "../../engine/state.ts";
import { formatOptions } from "../blocks/options.ts";
import { joinSections } from "../blocks/sections.ts";
import { cutText, formatSentence } from "../blocks/sentence.ts";
import { formatCode } from "../../contracts/markdown.ts";
import type { Links } from "../links.ts";
import { formatEffectWords } from "../words/effect-words.ts";
import { formatCost } from "../words/cost.ts";
import { findRunLink } from "../words/job-words.ts";

/** Without a baseline nothing can be compared, so nothing can be built. */
export function formatBaselineNeed(state: RunState, need: Extract<Need, { kind: "baseline" }>, links: Links): string {
  const last = state.jobs.rows.findLast((job: JobState) => job.subject.role === "baseline");
  const url = findRunLink(last, links);
  return joinSections(
    `The floor compares every change with what [\`${state.run.fork.slice(0, 10)}\`](${links.commit(state.run.fork)}) does now, and that could not be captured${url === null ? "" : ` ([last run](${url}))`}:`,
    need.problems
      .slice(0, 30)
      .map((problem) => `- ${formatSentence(cutText(problem, 500))}`)
      .join("\n"),
    formatOptions(
      [
        { command: "/cancel", effect: "end this run; after mending, set the label again for a new one." },
        {
          command: "/replan",
          effect: "try again on the same commit, where what was in the way has passed; the plan is written anew.",
        },
      ],
      "mend what is listed on the source branch (or in the configuration), then `/cancel` and label the issue again.",
    ),
  );
}

/**
 * Nothing that is dropped makes room: the final review is an agent's, too, and the same budget holds it. Only what
 * agents at work leave of their reserve comes free, and then it matters who wants it.
 */
export function formatBudgetNeed(state: RunState, need: Extract<Need, { kind: "budget" }>): string {
  const leavesRoom = mayLeaveRoom(state, need.why);
  return joinSections(
    `Spent so far: ${formatCost(state)}. Agents that are at work finish; ${formatSentence(need.why)}, so no other one starts, and no final reviewer either: as it is, the feature cannot be accepted, whatever is skipped.`,
    leavesRoom
      ? "What is reserved for an agent at work counts as used. What it leaves of that is free again when it ends, and as far as that goes others start by themselves."
      : "",
    formatOptions(
      [
        { command: "/cancel", effect: "end the run; the integration branch goes away, with what has landed on it." },
        ...(leavesRoom
          ? [{ command: "/skip <chunk>", effect: "leave what comes free to the rest and to the final review." }]
          : []),
      ],
      `${leavesRoom ? "wait for the agents at work; where that is not enough, " : ""}\`/cancel\`, raise \`budget\` in the configuration and set the label again. A run keeps the configuration it began with.`,
    ),
  );
}

/** Whether tokens or money are what is short, and some are reserved for an agent at work. */
function mayLeaveRoom(state: RunState, why: string): boolean {
  const { budget } = state.run.config;
  const isCountUsedUp = budget.agent_runs > 0 && state.spent.agentRuns >= budget.agent_runs;
  // At the run's beginning no time had passed: what was short then, too, is not time.
  if (isCountUsedUp || deriveUsedBudget(state, state.startedAt) !== why) return false;
  const reserves = (budget.tokens > 0 && budget.reserve_tokens > 0) || (budget.usd > 0 && budget.reserve_usd > 0);
  return reserves && state.jobs.rows.some((job) => job.status === "open" && isAgentJob(job.subject));
}

/** GitHub (or a setting) refuses an effect, and trying again does not help. */
export function formatFailureNeed(need: Extract<Need, { kind: "failure" }>): string {
  return joinSections(
    `This keeps failing: ${formatEffectWords(need.effect)} (${formatCode(need.effect)}). GitHub says:`,
    `> ${formatSentence(cutText(need.message, 1000))}`,
    formatOptions(
      [{ command: "/cancel", effect: "end the run." }],
      "change what the message names. I try again by myself every half hour.",
    ),
  );
}
