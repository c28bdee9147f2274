import { GATE_NAMES } from "../../contracts/floor-result.ts";
import type { AcceptState, RunState } from "../state.ts";
import { listLandedIds } from "./chunk-progress.ts";

const MAX_ITEMS = 60;

/** What the planner is told when the accepted feature was found wanting: findings as data, and what to write. */
export function buildFixRequest(state: RunState, accept: AcceptState, how: "fix" | "replan"): string {
  const items: string[] = [];
  for (const violation of accept.floor?.result.violations ?? [])
    items.push(`floor, ${GATE_NAMES[violation.gate]}: ${violation.message}`);
  const review = accept.review?.result;
  if (review !== undefined && review.outcome !== "void") {
    for (const criterion of review.criteria)
      if (criterion.result === "fail")
        items.push(
          `final review: "${criterion.criterion}" is not met. Expected: ${criterion.expected ?? ""} Found: ${criterion.found ?? ""}`,
        );
    for (const finding of review.findings)
      if (finding.severity === "blocking")
        items.push(
          `final review: ${finding.title} (${finding.where.path}:${finding.where.start}). Found: ${finding.found}`,
        );
  }
  const about = accept.review?.chunks ?? [];
  if (about.length > 0) items.push(`final review: it is about ${about.join(", ")}`);
  for (const row of accept.ci?.rows ?? [])
    if (row.state === "fail") items.push(`own checks: ${row.name} ended with ${row.detail}`);
  const landed = listLandedIds(state);
  const task =
    how === "fix"
      ? "The whole feature was found wanting. Keep every landed chunk as it is and add one small chunk (or few) that mends exactly what is listed."
      : "The whole feature was found wanting again after several fixes. Plan anew what is missing; landed chunks stay unless another chunk undoes them.";
  return [
    task,
    `Landed: ${landed.join(", ")}.`,
    ...items.slice(0, MAX_ITEMS).map((item) => `- ${item.slice(0, 2000)}`),
  ].join("\n");
}
