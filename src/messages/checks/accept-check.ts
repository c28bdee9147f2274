import { isOverruled, listOpenGates } from "../../engine/derive/overrides.ts";
import type { AcceptState, RunState } from "../../engine/state.ts";
import { formatCiTable } from "../blocks/ci-table.ts";
import { formatFloorVerdict, formatGateTable } from "../blocks/gate-table.ts";
import { formatOverrideList } from "../blocks/override-list.ts";
import { formatReviewText, formatReviewVerdict } from "../blocks/review-text.ts";
import { formatSection, joinSections } from "../blocks/sections.ts";
import { formatSentence } from "../blocks/sentence.ts";
import { listOverrides } from "../words/override-words.ts";
import { buildLinks } from "../links.ts";
import { buildReviewAnnotations, buildViolationAnnotations } from "./annotations.ts";
import { buildCheck } from "./build-check.ts";
import type { CheckText, Conclusion } from "./check-text.ts";
import { formatFloorText } from "./floor-check.ts";
import { renderUnknown } from "./unknown-check.ts";

/** The whole feature on the source branch's head: every gate, the final review, the repository's own checks. */
export function renderAcceptCheck(state: RunState, n: number): CheckText {
  const accept = state.accepts.find((entry) => entry.n === n);
  if (accept === undefined) return renderUnknown(`acceptance ${n}`);
  const links = buildLinks(state);
  const { conclusion, sentence, icon } = deriveAcceptVerdict(state, accept);
  const floor = accept.floor?.result ?? null;
  const review = accept.review?.result ?? null;
  return buildCheck({
    title: sentence,
    summary: joinSections(
      `${icon} **${formatSentence(sentence)}**`,
      `Checked: [\`${accept.commit.slice(0, 10)}\`](${links.commit(accept.commit)}), the feature on \`${state.run.source}\` at [\`${accept.source.slice(0, 10)}\`](${links.commit(accept.source)}).`,
      formatOverrideList(listOverrides(state, { accept: n })),
      floor === null ? "" : formatSection("#### Floor", `${formatFloorVerdict(floor)}.\n\n${formatGateTable(floor)}`),
      review === null ? "" : `#### Final review\n\n${formatSentence(formatReviewVerdict(review))}`,
      formatSection("#### The repository's own checks", formatCi(state, accept)),
    ),
    text: joinSections(
      floor === null ? "" : formatFloorText(floor, links, accept.commit),
      review === null ? "" : formatSection("### Final review", formatReviewText(review, links, accept.commit)),
    ),
    conclusion,
    annotations: [
      ...buildViolationAnnotations(floor?.violations ?? []),
      ...(review === null ? [] : buildReviewAnnotations(review)),
    ],
  });
}

function formatCi(state: RunState, accept: AcceptState): string {
  if (!state.run.config.ci.gather) return "Not waited for: `ci.gather` is off.";
  if (accept.accepted === null) return "";
  if (accept.ci === null || accept.ci.rows.length === 0) return "None has reported yet.";
  return formatCiTable(accept.ci.rows);
}

function deriveAcceptVerdict(
  state: RunState,
  accept: AcceptState,
): { readonly conclusion: Conclusion | null; readonly sentence: string; readonly icon: string } {
  const subject = { chunk: null, attempt: null, accept: accept.n };
  const floorStands =
    accept.floor?.result.outcome === "fail" && listOpenGates(accept.floor.result, state, subject).length > 0;
  const reviewStands = accept.review?.result.outcome === "fail" && !isOverruled(state.overrides, "review", subject);
  const overruled = listOverrides(state, { accept: accept.n }).length > 0;
  const say = (icon: string, conclusion: Conclusion | null, sentence: string) => ({ icon, conclusion, sentence });
  if (floorStands && accept.floor !== null)
    return say("❌", "failure", `The whole feature failed the floor: ${formatFloorVerdict(accept.floor.result)}`);
  if (reviewStands && accept.review !== null)
    return say("❌", "failure", `The final review did not pass: ${formatReviewVerdict(accept.review.result)}`);
  if (accept.stale !== null)
    return say("➖", "neutral", `${state.run.source} has moved on: the feature is accepted again on its new head`);
  if (accept.floor === null || accept.review === null) return say("⏳", null, "The whole feature is being checked");
  // What a person overruled is not green: it has not passed.
  if (overruled && accept.ci?.state !== "fail")
    return say("⚠️", "neutral", "The whole feature goes on although a gate failed: a person overruled it");
  if (accept.accepted === null || !state.run.config.ci.gather)
    return say("✅", "success", "The whole feature passed the floor and the final review");
  switch (accept.ci?.state ?? "pending") {
    case "pass":
      return say(
        "✅",
        "success",
        "The whole feature passed the floor, the final review and the repository's own checks",
      );
    case "fail":
      return say("❌", "failure", "Floor and final review passed, but the repository's own checks failed");
    case "pending":
      return say("⏳", null, "Floor and final review passed; waiting for the repository's own checks");
  }
}
