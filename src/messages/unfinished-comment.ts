import { formatCode } from "../contracts/markdown.ts";
import type { RunKey } from "../contracts/ids.ts";
import { joinSections } from "./blocks/sections.ts";
import { cutText, formatSentence } from "./blocks/sentence.ts";
import { BODY_LIMIT, cutMarkdown } from "./cut-markdown.ts";
import { formatEffectWords } from "./words/effect-words.ts";

/** More failures than this say nothing more. */
const MOST = 5;

/** Why a label starts nothing yet: the former run has come to its end and is still at its last steps. */
export function renderUnfinishedComment(
  run: RunKey,
  failures: ReadonlyArray<{ readonly effect: string; readonly message: string }>,
): string {
  const lines = failures
    .slice(0, MOST)
    .map(({ effect, message }) => `- ${formatEffectWords(effect)}: ${formatSentence(cutText(message, 500))}`);
  const body = joinSections(
    "### ⏳ Not started yet: the former run is still tidying up",
    `The run ${formatCode(run)} is over, but not all of its last steps are done.`,
    lines.length === 0 ? "" : `What GitHub refuses:\n\n${lines.join("\n")}`,
    "A new run begins by itself when that is done, or when I have given it up, some hours later at most. Nothing has to be set again.",
  );
  return cutMarkdown(body, BODY_LIMIT);
}
