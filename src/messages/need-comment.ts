import type { Need } from "../engine/derive/needs.ts";
import type { RunState } from "../engine/state.ts";
import { formatFooter } from "./blocks/footer.ts";
import { formatMention } from "./blocks/mention.ts";
import { joinSections } from "./blocks/sections.ts";
import { formatSentence } from "./blocks/sentence.ts";
import { BODY_LIMIT, cutMarkdown } from "./cut-markdown.ts";
import { buildLinks } from "./links.ts";
import { formatAcceptNeed } from "./needs/accept-need.ts";
import { formatBaselineNeed, formatBudgetNeed, formatFailureNeed } from "./needs/plain-needs.ts";
import { formatEscalationNeed } from "./needs/escalation-need.ts";
import { formatPeopleNeed } from "./needs/people-need.ts";
import { formatPlanNeed } from "./needs/plan-need.ts";
import { formatNeed } from "./words/headline.ts";

/** Asks people what only they can decide: what happened, why, the options, and what we would do. */
export function renderNeedComment(state: RunState, need: Need): string {
  const links = buildLinks(state);
  const body = joinSections(
    `### 🙋 ${formatMention(state.run.actor)}: ${formatSentence(formatNeed(need))}`,
    formatBody(state, need, links),
    formatFooter(state, links),
  );
  return cutMarkdown(body, BODY_LIMIT);
}

function formatBody(state: RunState, need: Need, links: ReturnType<typeof buildLinks>): string {
  switch (need.kind) {
    case "plan":
      return formatPlanNeed(state, need, links);
    case "baseline":
      return formatBaselineNeed(state, need, links);
    case "escalation":
      return formatEscalationNeed(state, need, links);
    case "accept":
      return formatAcceptNeed(state, need, links);
    case "budget":
      return formatBudgetNeed(state, need);
    case "failure":
      return formatFailureNeed(need);
    case "interference":
    case "stopped":
    case "landing":
    case "dropped":
    case "note":
    case "unassignable":
    case "checkpoint":
      return formatPeopleNeed(state, need);
  }
}
