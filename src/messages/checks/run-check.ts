import { BUTTONS, type CheckButton } from "../../contracts/buttons.ts";
import type { Wait } from "../../engine/action.ts";
import { deriveStanding, type Standing } from "../../engine/derive/standing.ts";
import type { RunState } from "../../engine/state.ts";
import { formatChunkTable } from "../blocks/chunk-table.ts";
import { joinSections } from "../blocks/sections.ts";
import { formatSentence } from "../blocks/sentence.ts";
import { formatDetails } from "../blocks/details.ts";
import { formatOtherNeeds } from "../blocks/other-needs.ts";
import { formatWaits } from "../blocks/wait-list.ts";
import { buildLinks, type Links } from "../links.ts";
import { formatMoment } from "../words/amounts.ts";
import { formatCost } from "../words/cost.ts";
import { deriveHeadline } from "../words/headline.ts";
import { buildCheck } from "./build-check.ts";
import type { CheckText, Conclusion } from "./check-text.ts";

/**
 * Where the run as a whole stands; on the feature's head.
 * @param waits what the newest decision waits for
 */
export function renderRunCheck(state: RunState, waits: readonly Wait[], now: number): CheckText {
  const { icon, sentence, needed, url } = deriveHeadline(state, now);
  const standing = deriveStanding(state, now);
  const links = buildLinks(state);
  return buildCheck({
    title: sentence,
    summary: joinSections(
      `${icon} **${formatSentence(sentence)}**`,
      needed === "" ? "" : `Needed: ${formatSentence(needed)}${url === null ? "" : ` ([go there](${url}))`}.`,
      formatOtherNeeds(state, now),
      formatChunkTable(state, links),
      `Cost so far: ${formatCost(state)}.`,
      formatWaitDetails(state, waits, { links, now }),
    ),
    conclusion: deriveConclusion(state, standing),
    buttons: listButtons(standing),
  });
}

/** A check is written when the run comes to stand elsewhere, not at each wait: it says as of when, and where the newest are. */
function formatWaitDetails(
  state: RunState,
  waits: readonly Wait[],
  { links, now }: { readonly links: Links; readonly now: number },
): string {
  if (state.ended !== null) return "";
  const url = state.comments["status"]?.url;
  const newest = url === undefined ? "" : `The [status comment](${url}) has the newest ones.`;
  const list = formatWaits(state, waits, links);
  return list === ""
    ? ""
    : formatDetails(`What it waits for, as of ${formatMoment(now)} (${waits.length})`, joinSections(list, newest));
}

/** What can be answered with one press. */
function listButtons(standing: Standing): readonly CheckButton[] {
  switch (standing.at) {
    case "asked": {
      const resumable = standing.needs.some((need) => need.kind === "stopped" || need.kind === "checkpoint");
      return resumable ? [BUTTONS.resume, BUTTONS.cancel] : [BUTTONS.cancel];
    }
    case "paused":
      return [BUTTONS.resume, BUTTONS.cancel];
    case "approval":
    case "blocked":
      return [BUTTONS.cancel];
    default:
      return [];
  }
}

function deriveConclusion(state: RunState, standing: Standing): Conclusion | null {
  switch (standing.at) {
    case "merged":
      return state.merged?.verified === true ? "success" : "neutral";
    case "cancelled":
      return "cancelled";
    case "answered":
      return "neutral";
    case "ended":
      return "failure";
    case "asked":
    case "paused":
    case "approval":
    case "blocked":
      return "action_required";
    // A rule that requires this check lets pass what was verified.
    case "ready":
    case "merging":
      return "success";
    case "planning":
    case "shown":
    case "working":
    case "checked":
    case "reviewed":
    case "ci":
    case "mended":
      return null;
  }
}
