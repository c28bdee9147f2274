/**
 * An issue as a person sees it. People approve what they see; what an agent reads must be the same, so
 * everything hidden goes: comments, attributes, link targets and titles, alternative texts, closed sections,
 * invisible characters, drawings and formulas whose source differs from their picture.
 */
import { raw } from "hast-util-raw";
import { defaultSchema, sanitize } from "hast-util-sanitize";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { gfm } from "micromark-extension-gfm";
import { countMarks } from "./sanitise/count-marks.ts";
import { findExcess } from "./sanitise/find-excess.ts";
import { measureNesting } from "./sanitise/measure-nesting.ts";
import { renderVisible } from "./sanitise/render-visible.ts";
import { stripInvisible } from "./sanitise/visible-characters.ts";

/** GitHub's own limit for a body, in characters. */
const maxBody = 65_536;
/** Deeper nesting is no text for people, and trees are walked by recursion. */
const maxNesting = 60;

/** Thousands of emphasis or link marks within one paragraph are no text for people either. */
const maxMarks = 3000;

/**
 * The text of an intent, as Markdown that holds nothing hidden.
 * @param title one line; GitHub renders it as text.
 * @param body GitHub's Markdown.
 */
export function sanitiseIntent(title: string, body: string): string {
  const heading = stripInvisible(title)
    .replaceAll(/\s+/gu, " ")
    .trim()
    .replaceAll(/<(?=[!/?A-Za-z])/gu, "\\<");
  const text = renderBody(body.slice(0, maxBody));
  return `# ${heading === "" ? "(no title)" : heading}\n${text === "" ? "" : `\n${text}\n`}`;
}

function renderBody(body: string): string {
  const markdown = flattenNesting(body.toWellFormed());
  const excess = findExcess(markdown);
  if (excess !== null) return `[The text holds more ${excess} than can be read.]`;
  if (countMarks(markdown) > maxMarks) return "[The text holds more emphasis and link marks than can be read.]";
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  if (measureNesting(tree) > maxNesting * 3) return "[The text is nested too deeply to be read.]";
  const html = raw(toHast(tree, { allowDangerousHtml: true }));
  // The default schema is GitHub's: no styles, no scripts, no hidden attributes.
  const visible = sanitize(html, {
    ...defaultSchema,
    strip: [...(defaultSchema.strip ?? []), "style", "template", "title"],
  });
  return visible.type === "root" ? stripInvisible(renderVisible(visible)) : "";
}

/** Cuts runs of quote and list marks that would nest deeper than anybody reads. */
function flattenNesting(text: string): string {
  return text.replaceAll(/^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t\r\n]|$))){60,}/gmu, (marks) =>
    marks.slice(0, maxNesting),
  );
}
