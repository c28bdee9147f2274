import { BUTTONS } from "../../contracts/buttons.ts";
import { deriveApprovalPolicy } from "../../engine/derive/approval-policy.ts";
import type { PlanRevision, RunState } from "../../engine/state.ts";
import { countCheckCommands } from "../blocks/check-commands.ts";
import { formatPlanLine } from "../blocks/plan-line.ts";
import { formatDoubts, formatPlanOutline, formatRequirements } from "../blocks/plan-outline.ts";
import { formatSection, joinSections } from "../blocks/sections.ts";
import { formatSentence } from "../blocks/sentence.ts";
import { buildLinks } from "../links.ts";
import { formatCount } from "../words/amounts.ts";
import { buildCheck } from "./build-check.ts";
import type { CheckText, Conclusion } from "./check-text.ts";
import { renderUnknown } from "./unknown-check.ts";

/** A plan revision: whether it is approved, by whom, and what it holds. */
export function renderPlanCheck(state: RunState, rev: number): CheckText {
  const revision = state.revisions.find((entry) => entry.rev === rev);
  if (revision === undefined) return renderUnknown(`plan revision ${rev}`);
  const { conclusion, title, sentence } = derivePlanVerdict(state, revision);
  const { chunks } = revision.plan;
  const size = `${formatCount(chunks.length, "chunk")}, ${formatCount(countCheckCommands(revision.plan), "check")}`;
  return buildCheck({
    title: `Plan revision ${rev}: ${title}`,
    summary: joinSections(
      `**Plan revision ${rev}** (${size}): ${formatSentence(sentence)}.`,
      formatPlanLine(state, buildLinks(state)),
      formatPlanOutline(revision),
    ),
    text: joinSections(
      formatSection("### Requirements", formatRequirements(revision)),
      formatSection("### What the planner could not settle", formatDoubts(revision)),
    ),
    conclusion,
    buttons: conclusion === "action_required" ? [BUTTONS.approve, BUTTONS.cancel] : [],
  });
}

function derivePlanVerdict(
  state: RunState,
  revision: PlanRevision,
): { readonly conclusion: Conclusion | null; readonly title: string; readonly sentence: string } {
  const say = (conclusion: Conclusion | null, title: string, sentence = title) => ({ conclusion, title, sentence });
  const { approved, cancelled } = state;
  if (approved?.rev === revision.rev)
    return approved.by === "policy"
      ? say("success", "approved by policy", `approved by policy: ${approved.why}`)
      : say("success", `approved by ${approved.by}`);
  const newest = state.revisions.at(-1)?.rev ?? revision.rev;
  if (newest > revision.rev) return say("neutral", `replaced by revision ${newest}`);
  if (cancelled !== null) return say("cancelled", "the run was cancelled");
  const policy = deriveApprovalPolicy(state, revision);
  if (!policy.person) return say(null, "being approved by policy");
  return say(
    "action_required",
    "waits for approval",
    `waits for \`/approve ${revision.hash.slice(0, 12)}\` by a person because ${policy.why}`,
  );
}
