import type { ProblemList } from "../problem-list.ts";
import type { SoundPlan } from "./sound-plan.ts";

/** Opinions alone accept nothing: at least one item is a command. */
export function checkAcceptance(acceptance: SoundPlan["acceptance"] & object, problems: ProblemList): void {
  if (acceptance.length === 0 || acceptance.some((item) => item === undefined || item.kind === "check")) return;
  problems.add(["acceptance"], "acceptance-check", {
    message: "acceptance has assertions only; at least one item must be a check, a command that decides",
    found: `${acceptance.length} of kind assertion`,
    allowed: 'at least one item of kind "check"',
  });
}
