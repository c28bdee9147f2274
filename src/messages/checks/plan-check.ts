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
  const { conclusion, sentence } = derivePlanVerdict(state, revision);
  const { chunks } = revision.plan;
  const size = `${formatCount(chunks.length, "chunk")}, ${formatCount(countCheckCommands(revision.plan), "check")}`;
  return buildCheck({
    title: `Plan revision ${rev}: ${sentence}`,
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
  });
}

function derivePlanVerdict(
  state: RunState,
  revision: PlanRevision,
): { readonly conclusion: Conclusion | null; readonly sentence: string } {
  const { approved, cancelled } = state;
  if (approved?.rev === revision.rev)
    return {
      conclusion: "success",
      sentence: approved.by === "policy" ? `approved by policy: ${approved.why}` : `approved by ${approved.by}`,
    };
  const newest = state.revisions.at(-1)?.rev ?? revision.rev;
  if (newest > revision.rev) return { conclusion: "neutral", sentence: `replaced by revision ${newest}` };
  if (cancelled !== null) return { conclusion: "cancelled", sentence: "the run was cancelled" };
  const policy = deriveApprovalPolicy(state, revision);
  if (!policy.person) return { conclusion: null, sentence: "being approved by policy" };
  return {
    conclusion: "action_required",
    sentence: `waits for \`/approve ${revision.hash.slice(0, 12)}\` by a person because ${policy.why}`,
  };
}
