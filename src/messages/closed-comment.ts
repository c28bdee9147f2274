import { formatCode } from "../contracts/markdown.ts";
import type { CommentSubject } from "../engine/action.ts";
import { joinSections } from "./blocks/sections.ts";

const HEAD = "### 🚪 Closed without landing";

/** On a chunk's pull request that the App closes although the run goes on, or the feature was merged. */
export function renderClosedComment({
  chunk,
  rev,
  merged,
  feature,
}: Omit<Extract<CommentSubject, { kind: "closed" }>, "kind">): string {
  if (merged !== undefined)
    return joinSections(
      HEAD,
      `Reason: the chunk ${formatCode(chunk)} has landed with #${merged}, which somebody merged by hand. The branch of this pull request goes away.`,
    );
  if (feature !== undefined)
    return joinSections(
      HEAD,
      `Reason: the feature was merged${feature === null ? "" : ` with #${feature}`} before the chunk ${formatCode(chunk)} had landed. What is here did not pass every gate. The branch of this pull request goes away.`,
    );
  const why =
    rev === null
      ? `somebody with write access dropped the chunk ${formatCode(chunk)}`
      : `plan revision ${rev} does not contain the chunk ${formatCode(chunk)} any more`;
  const back = rev === null ? `\`/retry ${chunk}\` builds it after all` : "`/replan` can bring it back";
  return joinSections(
    HEAD,
    `Reason: ${why}. The branch of this pull request goes away; ${back}, in another pull request.`,
  );
}
