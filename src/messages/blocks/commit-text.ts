import { formatOneLine, neutraliseMentions } from "../../contracts/markdown.ts";

/** Instructions that keep workflows from starting (docs.github.com, "Skipping workflow runs"). */
const SKIP_INSTRUCTION = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/giu;

/**
 * Untrusted text on one line of a commit message: it closes no issue, notifies nobody and skips no
 * workflow, whatever it says.
 */
export function formatCommitText(text: string): string {
  return neutraliseMentions(formatOneLine(text)).replaceAll(SKIP_INSTRUCTION, "($1)").trim();
}
