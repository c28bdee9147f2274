import type { JobFeedback } from "../../contracts/job.ts";
import type { Violation } from "../../contracts/floor-result.ts";
import { GATE_NAMES } from "../../contracts/floor-result.ts";
import type { ChunkState } from "../state.ts";
import { once } from "./once.ts";

/** What an implementer is told of either kind; more would only hide what matters. */
const MOST_ITEMS = 200;

/** What the next implementer is told as data: what has landed, and what the last attempt got wrong; null = nothing. */
export function buildAttemptFeedback(chunk: ChunkState, landed: readonly ChunkState[]): JobFeedback | null {
  const items: Array<JobFeedback["items"][number]> = [];
  const learned = listLearned(landed);
  const last = chunk.attempts.at(-1);
  if (last === undefined) return formatFeedback(items, learned);
  for (const problem of last.problems) items.push({ source: "change-set", text: formatViolation(problem) });
  if (last.stage === "floor-failed")
    for (const violation of last.floor?.result.violations ?? [])
      items.push({ source: `floor:${GATE_NAMES[violation.gate]}`, text: formatViolation(violation) });
  for (const violation of last.integration) items.push({ source: "integration", text: formatViolation(violation) });
  for (const path of last.conflicts)
    items.push({ source: "conflict", text: `${path} was changed by what has landed meanwhile` });
  if (last.stage === "unusable") items.push({ source: "agent", text: last.cause });
  if (last.stage === "review-failed" && last.review !== null && last.review.result.outcome !== "void") {
    for (const criterion of last.review.result.criteria)
      if (criterion.result === "fail")
        items.push({
          source: "review",
          text: `Criterion "${criterion.criterion}" is not met. Expected: ${criterion.expected ?? ""} Found: ${criterion.found ?? ""}`,
        });
    for (const finding of last.review.result.findings)
      if (finding.severity === "blocking")
        items.push({
          source: "review",
          text: `${finding.title} (${finding.where.path}:${finding.where.start}). Expected: ${finding.expected} Found: ${finding.found}`,
        });
  }
  return formatFeedback(items, learned);
}

/** The service inventory and the patterns of what has landed: what earlier implementers say, as data. */
const listLearned = once((landed: readonly ChunkState[]): readonly Item[] => {
  const items: Array<JobFeedback["items"][number]> = [];
  for (const chunk of landed) {
    if (items.length >= MOST_ITEMS) break;
    const attempt = chunk.attempts.find((entry) => entry.n === chunk.landed?.attempt);
    const files = attempt?.files.map((file) => file.path).join(", ") ?? "";
    items.push({ source: "landed", text: `${chunk.id} has landed: ${files}` });
    for (const service of attempt?.context?.services ?? [])
      items.push({ source: "service", text: `${service.name} (${service.path}): ${service.purpose}` });
    for (const pattern of attempt?.context?.patterns ?? []) items.push({ source: "pattern", text: pattern });
  }
  return items;
});

type Item = JobFeedback["items"][number];

function formatFeedback(items: readonly Item[], context: readonly Item[]): JobFeedback | null {
  if (items.length === 0 && context.length === 0) return null;
  const cut = (list: readonly Item[]): Item[] =>
    list.slice(0, MOST_ITEMS).map((item) => ({ ...item, text: item.text.slice(0, 4000) }));
  return { v: 1, items: cut(items), ...(context.length === 0 ? {} : { context: cut(context) }) };
}

function formatViolation(violation: Violation): string {
  const place =
    violation.path === undefined
      ? ""
      : `${violation.path}${violation.line === undefined ? "" : `:${violation.line}`}: `;
  const change =
    violation.was === undefined && violation.now === undefined
      ? ""
      : ` (was: ${violation.was ?? "-"}; now: ${violation.now ?? "-"})`;
  return `${place}${violation.message}${change}${violation.hint === undefined ? "" : ` Hint: ${violation.hint}`}`;
}
