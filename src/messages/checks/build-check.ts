import type { CheckButton } from "../../contracts/buttons.ts";
import { formatOneLine, neutraliseMentions } from "../../contracts/markdown.ts";
import { cutText, formatPlainSentence } from "../blocks/sentence.ts";
import { CHECK_LIMIT, cutMarkdown } from "../cut-markdown.ts";
import type { CheckAnnotation, CheckText, Conclusion } from "./check-text.ts";

const TITLE_LENGTH = 240;

interface CheckParts {
  /** A sentence; its backticks are dropped, since titles are plain text. */
  readonly title: string;
  readonly summary: string;
  readonly text?: string;
  /** null = still in progress. */
  readonly conclusion: Conclusion | null;
  readonly annotations?: readonly CheckAnnotation[];
  readonly buttons?: readonly CheckButton[];
}

/** A check within GitHub's limits. */
export function buildCheck({
  title,
  summary,
  text = "",
  conclusion,
  annotations = [],
  buttons = [],
}: CheckParts): CheckText {
  return {
    title: cutText(neutraliseMentions(formatOneLine(formatPlainSentence(title))), TITLE_LENGTH),
    summary: cutMarkdown(summary, CHECK_LIMIT),
    ...(text.trim() === "" ? {} : { text: cutMarkdown(text, CHECK_LIMIT) }),
    ...(conclusion === null ? { status: "in_progress" } : { status: "completed", conclusion }),
    annotations,
    buttons,
  };
}
