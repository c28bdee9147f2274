/**
 * Text that came from GitHub, a database or an agent, made harmless for an operator's terminal: a terminal obeys control
 * characters (it sets the clipboard, moves the cursor, changes its title), and a line break forges a line of ours.
 */
import { formatOneLine } from "../contracts/markdown.ts";

/** One line whatever stands in it; blanks at its beginning stay, since they are ours. */
export function formatTerminalLine(text: string): string {
  const indent = /^ */u.exec(text)?.[0] ?? "";
  return `${indent}${formatOneLine(text.slice(indent.length))}`;
}

/** What a terminal obeys, but for line breaks and tabs; with what makes a colour of an escape character. */
const OBEYED = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}](\[(?:0|1|2|22|3[1-69])m)?/gu;

/** Several lines of ours with harmless words in them: nothing in it is obeyed but the colours that commands use. */
export function formatTerminalText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(OBEYED, (found, colour = "") => (found.startsWith("\u001b[") ? found : colour));
}
