import { BUTTONS } from "../../contracts/buttons.ts";
import { derivePlanVerdict, type PlanVerdict } from "../../engine/derive/plan-verdict.ts";
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
  const { conclusion, title, sentence } = describeVerdict(derivePlanVerdict(state, revision), revision);
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

function describeVerdict(
  verdict: PlanVerdict,
  revision: PlanRevision,
): { readonly conclusion: Conclusion | null; readonly title: string; readonly sentence: string } {
  const say = (conclusion: Conclusion | null, title: string, sentence = title) => ({ conclusion, title, sentence });
  switch (verdict.kind) {
    case "approved":
      return verdict.by === "policy"
        ? say("success", "approved by policy", `approved by policy: ${verdict.why}`)
        : say("success", `approved by ${verdict.by}`);
    case "replaced":
      return say("neutral", `replaced by revision ${verdict.rev}`);
    case "rewritten":
      return say(
        null,
        "a new revision is being written",
        "nobody can approve it any more: a new revision is being written",
      );
    case "cancelled":
      return say("cancelled", "the run was cancelled");
    case "over":
      return say("neutral", "the run is over", "the run was over before anybody approved it");
    case "policy":
      return say(null, "being approved by policy");
    case "person":
      return say(
        "action_required",
        "waits for approval",
        `waits for \`/approve ${revision.hash.slice(0, 12)}\` by a person because ${verdict.why}`,
      );
  }
}
