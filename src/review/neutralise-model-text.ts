import { neutraliseMentions } from "../contracts/markdown.ts";

const maxLength = 4000;

/**
 * Text of a model for people to read: no invisible or bidirectional characters, no comment that could
 * pass for one of our markers, no pings, no links. Whoever prints it still escapes it for its place.
 */
export function neutraliseModelText(text: string): string {
  const visible = text
    .toWellFormed()
    .replaceAll(/\r\n?/gu, "\n")
    // Joiners are needed to spell some scripts; everything else of these classes only hides something.
    .replaceAll(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029\u3164\u115f\u1160\uffa0]/gu, "");
  const cut = visible.length > maxLength ? `${visible.slice(0, maxLength).toWellFormed()} …` : visible;
  // U+2060 has no width and keeps the comment from being one.
  return neutraliseMentions(cut.replaceAll("<!--", "<\u2060!--").replaceAll("-->", "--\u2060>"));
}
