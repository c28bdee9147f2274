import { formatOneLine, neutraliseMentions } from "../../contracts/markdown.ts";
import { cutText } from "./sentence.ts";

/** GitHub takes 256 characters for a title. */
const TITLE_LENGTH = 240;

/** An untrusted title as the plain text GitHub shows: one line, nobody notified, nothing linked. */
export function formatTitle(text: string): string {
  const title = neutraliseMentions(formatOneLine(text)).trim();
  return cutText(title === "" ? "Untitled" : title, TITLE_LENGTH);
}
