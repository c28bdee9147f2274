import { BUTTONS, type CheckButton } from "../../contracts/buttons.ts";
import { listQuestions } from "../../engine/derive/needs.ts";
import { deriveAcceptStep } from "../../engine/derive/accept-progress.ts";
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
  return buildCheck({
    title: sentence,
    summary: joinSections(
      `${icon} **${formatSentence(sentence)}**`,
      needed === "" ? "" : `Needed: ${formatSentence(needed)}${url === null ? "" : ` ([go there](${url}))`}.`,
      formatChunkTable(state, buildLinks(state)),
      `Cost so far: ${formatCost(state)}.`,
    ),
    conclusion: deriveConclusion(state, now),
    buttons: listButtons(state, now),
  });
}

/** What can be answered with one press. */
function listButtons(state: RunState, now: number): readonly CheckButton[] {
  const questions = listQuestions(state, now);
  if (questions.length === 0) return [];
  const resumable = questions.some((need) => need.kind === "stopped" || need.kind === "checkpoint");
  return resumable ? [BUTTONS.resume, BUTTONS.cancel] : [BUTTONS.cancel];
}

function deriveConclusion(state: RunState, now: number): Conclusion | null {
  if (state.merged !== null) return state.merged.verified ? "success" : "neutral";
  if (state.cancelled !== null) return "cancelled";
  if (state.answerText !== null) return "neutral";
  if (state.ended !== null) return "failure";
  if (listQuestions(state, now).length > 0) return "action_required";
  return deriveAcceptStep(state, now).step === "merge" ? "success" : null;
}
