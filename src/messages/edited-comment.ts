import { LABEL } from "../contracts/names.ts";
import { formatMention } from "./blocks/mention.ts";
import { joinSections } from "./blocks/sections.ts";

/**
 * Why a label that may start a run started none: what it would build is not, or may not be, what they read.
 * @param what `edited`: the text is another; `unclear`: something changed, GitHub does not tell what.
 */
export function renderEditedComment(login: string, what: "edited" | "unclear"): string {
  const happened =
    what === "edited"
      ? `the title or the description has been edited since ${formatMention(login)} set the label \`${LABEL}\``
      : `something on this issue has changed since ${formatMention(login)} set the label \`${LABEL}\`, and GitHub does not tell whether it was the text`;
  return joinSections(
    "### ✋ Not started: please set the label again",
    `A run builds what the issue said when the label was set. It could not begin at once, and ${happened}.`,
    `Nothing was created. Read the issue as it is now; if that is to be built, take the label \`${LABEL}\` off and set it again.`,
  );
}
