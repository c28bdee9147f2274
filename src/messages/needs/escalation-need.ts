import { formatCode } from "../../contracts/markdown.ts";
import { listAgents } from "../../contracts/config.ts";
import { GATE_NAMES, type Violation } from "../../contracts/floor-result.ts";
import type { Escalation } from "../../engine/derive/chunk-progress.ts";
import type { Need } from "../../engine/derive/needs.ts";
import type { AttemptState, ChunkState, RunState } from "../../engine/state.ts";
import { formatAttemptHistory } from "../blocks/attempt-history.ts";
import { formatOptions, type Option } from "../blocks/options.ts";
import { joinSections } from "../blocks/sections.ts";
import { cutText, formatSentence } from "../blocks/sentence.ts";
import { formatViolationList } from "../blocks/violation-list.ts";
import type { Links } from "../links.ts";
import { formatList } from "../words/amounts.ts";
import { findRow } from "../../engine/table.ts";

/** A chunk that used up its tries: its history, the cause in words, and the ways on. */
export function formatEscalationNeed(
  state: RunState,
  need: Extract<Need, { kind: "escalation" }>,
  links: Links,
): string {
  const { escalation, stopped } = need;
  const chunk = findRow(state.chunks, escalation.chunk);
  if (chunk === undefined) return "";
  return joinSections(
    `${formatStopped(stopped)} Everything else goes on.`,
    formatAttemptHistory(state, chunk, links),
    `**Cause:** ${formatSentence(describeCause(chunk, escalation))}`,
    formatLastFailure(chunk, links),
    formatOptions(listOptions(state, chunk), recommend(state, chunk, escalation)),
  );
}

function formatStopped(stopped: readonly string[]): string {
  if (stopped.length === 0) return "No other chunk waits for it.";
  return `Because of it, ${formatList(stopped.map(formatCode))} ${stopped.length === 1 ? "waits" : "wait"}.`;
}

function describeCause(chunk: ChunkState, escalation: Escalation): string {
  switch (escalation.gate) {
    case "floor": {
      const repeated = findRepeated(chunk);
      return repeated === null
        ? "every try broke something else on the floor, so the chunk is probably too large or its brief leaves too much open."
        : `every try fails in the same place: ${cutText(repeated, 300).replace(/[.\s]+$/u, "")}. The agent does not find the way around it by itself.`;
    }
    case "review":
      return "the floor passes, but reviewers find that the work does not meet its criteria: they may be unclear, or not reachable within the chunk's files.";
    case "agent":
      return `the agent ends without anything that can be committed: ${cutText(chunk.attempts.at(-1)?.cause ?? "", 500)}`;
    case "integration":
      return "the chunk passes by itself but not together with what has landed: two chunks disagree about something they share.";
    case "reviewer":
      return `reviewers returned verdicts whose evidence is not in the code: ${cutText(chunk.attempts.at(-1)?.cause ?? "", 500)}`;
    case "person":
      return `${escalation.reason}. What a person stops, only a person starts again.`;
    case "churn":
      return "each try mends what the last reviewer found and brings something new: another try would go on like that.";
    case "repeat":
      return "the last tries fail in exactly the same way, so a further one would only cost.";
    case "external":
      return `workflow runs end without a result: ${cutText(chunk.attempts.at(-1)?.cause ?? "", 500)}`;
  }
}

/** The violation that all failed tries share, in words, or null. */
function findRepeated(chunk: ChunkState): string | null {
  const lists = chunk.attempts
    .slice(chunk.countFrom)
    .filter((attempt) => attempt.stage === "floor-failed" || attempt.stage === "refused")
    .map(listViolations);
  const [first, ...others] = lists;
  if (first === undefined || others.length === 0) return null;
  const shared = first.find((violation) =>
    others.every((list) => list.some((other) => formatIdentity(other) === formatIdentity(violation))),
  );
  return shared?.message ?? null;
}

function listViolations(attempt: AttemptState): readonly Violation[] {
  return attempt.floor?.result.violations ?? attempt.problems;
}

function formatIdentity(violation: Violation): string {
  return `${violation.gate}:${violation.rule}:${violation.path ?? ""}:${violation.message}`;
}

function formatLastFailure(chunk: ChunkState, links: Links): string {
  const last = chunk.attempts.at(-1);
  if (last === undefined) return "";
  const violations = last.stage === "integration-failed" ? last.integration : listViolations(last);
  return violations.length === 0
    ? ""
    : formatViolationList(violations.slice(0, 20), links, last.head, violations.length - 20);
}

function listOptions(state: RunState, chunk: ChunkState): readonly Option[] {
  const others = listAgents(state.run.config).filter((agent) => agent.name !== chunk.agent);
  const [other] = others;
  return [
    { command: `/retry ${chunk.id}`, effect: "fresh tries with the same brief; worth it when the cause is mended." },
    {
      command: "/replan <what should be different>",
      effect: "a new plan revision: smaller chunks, other files, clearer criteria. What has landed stays.",
    },
    ...(other === undefined
      ? []
      : [{ command: `/assign ${chunk.id} ${other.name}`, effect: "another agent, with fresh tries." }]),
    { command: `/take ${chunk.id}`, effect: "you implement it by hand; the same gates judge what you push." },
    ...listOverrides(chunk),
    { command: `/skip ${chunk.id}`, effect: "drop it; what depends on it goes on without it." },
    { command: "/cancel", effect: "end the run." },
  ];
}

/** What failed last may be overruled, on the chunk's own pull request; what nobody judged may not. */
function listOverrides(chunk: ChunkState): readonly Option[] {
  const last = chunk.attempts.at(-1);
  const pull = chunk.pulls.at(-1);
  if (last === undefined || pull === undefined) return [];
  const effect = (what: string): string =>
    `as a comment on #${pull.number}: ${what} attempt ${last.n} is overruled; recorded with your reason.`;
  if (last.stage === "review-failed") return [{ command: "/override review <why>", effect: effect("the review of") }];
  if (last.stage !== "floor-failed") return [];
  const gates = new Set((last.floor?.result.violations ?? []).map((violation) => GATE_NAMES[violation.gate]));
  return [...gates].slice(0, 3).map((gate) => ({
    command: `/override ${gate.replaceAll(" ", "-")} <why>`,
    effect: effect("what this gate found in"),
  }));
}

function recommend(state: RunState, chunk: ChunkState, escalation: Escalation): string {
  switch (escalation.gate) {
    case "external":
    case "reviewer":
      return `mend what the last run reports, then \`/retry ${chunk.id}\`.`;
    case "agent": {
      const other = listAgents(state.run.config).find((agent) => agent.name !== chunk.agent);
      return other === undefined
        ? `look at the agent's last run, then \`/retry ${chunk.id}\`.`
        : `\`/assign ${chunk.id} ${other.name}\`, since this agent stopped twice.`;
    }
    case "person":
      return `\`/retry ${chunk.id}\` if it is still wanted, otherwise \`/skip ${chunk.id}\`.`;
    case "floor":
    case "review":
    case "repeat":
    case "churn":
    case "integration":
      return "`/replan` with one sentence about what the tries above got wrong.";
  }
}
