import { BUTTONS, type CheckButton } from "../../contracts/buttons.ts";
import { deriveStanding, type Standing } from "../../engine/derive/standing.ts";
import type { RunState } from "../../engine/state.ts";
import { formatChunkTable } from "../blocks/chunk-table.ts";
import { joinSections } from "../blocks/sections.ts";
import { formatSentence } from "../blocks/sentence.ts";
import { buildLinks } from "../links.ts";
import { formatCost } from "../words/cost.ts";
import { deriveHeadline } from "../words/headline.ts";
import { buildCheck } from "./build-check.ts";
import type { CheckText, Conclusion } from "./check-text.ts";

/** Where the run as a whole stands; on the feature's head. */
export function renderRunCheck(state: RunState, now: number): CheckText {
  const { icon, sentence, needed, url } = deriveHeadline(state, now);
  const standing = deriveStanding(state, now);
  return buildCheck({
    title: sentence,
    summary: joinSections(
      `${icon} **${formatSentence(sentence)}**`,
      needed === "" ? "" : `Needed: ${formatSentence(needed)}${url === null ? "" : ` ([go there](${url}))`}.`,
      formatChunkTable(state, buildLinks(state)),
      `Cost so far: ${formatCost(state)}.`,
    ),
    conclusion: deriveConclusion(state, standing),
    buttons: listButtons(standing),
  });
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
