import type { ChunkId } from "../../contracts/ids.ts";
import { formatCode } from "../../contracts/markdown.ts";
import type { RunState } from "../../engine/state.ts";
import { formatOverrideList } from "../blocks/override-list.ts";
import { formatReviewText, formatReviewVerdict } from "../blocks/review-text.ts";
import { joinSections } from "../blocks/sections.ts";
import { formatSentence } from "../blocks/sentence.ts";
import { buildLinks } from "../links.ts";
import { listOverrides } from "../words/override-words.ts";
import { findRunLink } from "../words/job-words.ts";
import { buildReviewAnnotations } from "./annotations.ts";
import { buildCheck } from "./build-check.ts";
import type { CheckText } from "./check-text.ts";
import { renderUnknown } from "./unknown-check.ts";
import { findRow } from "../../engine/table.ts";

/** The verdict of the one reviewer of an attempt, after its evidence was verified. */
export function renderReviewCheck(state: RunState, chunk: ChunkId, attempt: number): CheckText {
  const entry = findRow(state.chunks, chunk)?.attempts.find((candidate) => candidate.n === attempt);
  if (entry === undefined || entry.review === null || entry.head === null)
    return renderUnknown(`the review of attempt ${attempt} of ${chunk}`);
  const { result, job } = entry.review;
  const links = buildLinks(state);
  const overrides = listOverrides(state, { chunk, attempt }).filter((one) => one.gate === "review");
  const overruled = result.outcome !== "pass" && overrides.length > 0;
  const url = findRunLink(findRow(state.jobs, job), links);
  const run = url === null ? "A fresh reviewer" : `[A fresh reviewer](${url})`;
  return buildCheck({
    title: `${overruled ? "Overruled " : ""}${formatReviewVerdict(result)} (attempt ${attempt} of ${chunk})`,
    summary: joinSections(
      `${result.outcome === "pass" ? "✅" : "❌"} **${formatSentence(formatReviewVerdict(result))}** in attempt ${attempt} of ${formatCode(chunk)}.`,
      formatOverrideList(overrides),
      formatReviewText(result, links, entry.head),
      `<sub>${run} saw the specification, the criteria and the change, and nothing else. Every quote was compared with the commit before anybody believed it.</sub>`,
    ),
    conclusion: result.outcome === "pass" ? "success" : overruled ? "neutral" : "failure",
    annotations: buildReviewAnnotations(result),
  });
}
