import { listQuestions } from "../../engine/derive/needs.ts";
import type { RunState } from "../../engine/state.ts";
import { formatNeed } from "../words/headline.ts";
import { formatSentence } from "./sentence.ts";

/** With several questions open, each is named with a link to where it was asked. */
export function formatOtherNeeds(state: RunState, now: number): string {
  const needs = listQuestions(state, now);
  if (needs.length < 2) return "";
  return needs
    .map((need) => {
      const url = state.comments[`need:${need.key}`]?.url;
      return `- 🙋 ${formatSentence(formatNeed(need))}${url === undefined ? "" : ` ([question](${url}))`}`;
    })
    .join("\n");
}
