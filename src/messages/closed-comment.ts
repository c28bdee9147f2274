import type { ChunkId } from "../contracts/ids.ts";
import { formatCode } from "../contracts/markdown.ts";
import { joinSections } from "./blocks/sections.ts";

/**
 * On a chunk's pull request that the App closes although the run goes on.
 * @param rev the plan revision that dropped it; null = people did
 * @param merged another pull request of it, which somebody merged by hand; absent = it was dropped
 */
export function renderClosedComment(chunk: ChunkId, rev: number | null, merged?: number): string {
  if (merged !== undefined)
    return joinSections(
      "### 🚪 Closed without landing",
      `Reason: the chunk ${formatCode(chunk)} has landed with #${merged}, which somebody merged by hand. The branch of this pull request goes away.`,
    );
  const why =
    rev === null
      ? `somebody with write access dropped the chunk ${formatCode(chunk)}`
      : `plan revision ${rev} does not contain the chunk ${formatCode(chunk)} any more`;
  const back = rev === null ? `\`/retry ${chunk}\` builds it after all` : "`/replan` can bring it back";
  return joinSections(
    "### 🚪 Closed without landing",
    `Reason: ${why}. The branch of this pull request goes away; ${back}, in another pull request.`,
  );
}
