import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { mayHoldCommands, parseCommands } from "../../src/contracts/commands.ts";
import { listOpenLines } from "../../src/contracts/commands/list-open-lines.ts";

const names = (body: string): readonly string[] => parseCommands(body).map((command) => command.name);

describe("a command is given", () => {
  it.each([
    ["alone", "/approve"],
    ["after text in the same paragraph", "Fine with me.\n/approve"],
    ["after a gap below a list", "- one\n- two\n\n/approve"],
    ["after a gap below a quote", "> what about it?\n\n/approve"],
    ["below closed code", "```\ncode\n```\n/approve"],
    ["below a rule", "- - -\n/approve"],
    ["below a heading", "# Verdict\n/approve"],
    ["after a hidden comment", "<!-- a template's hint -->\n\n/approve"],
    ["below code within the paragraph", "`one` and\n`two`\n/approve"],
    ["with a sign for less in the text before", "a < b and c <d\n/approve"],
    ["with line ends of another system", "Fine.\r\n\r\n/approve\r\n"],
  ])("%s", (_how, body) => {
    expect(names(body)).toEqual(["approve"]);
  });

  it("and another one, each with the rest of its line", () => {
    expect(parseCommands("/retry api\n/skip web  \n\n/assign docs builder")).toMatchObject([
      { name: "retry", args: "api" },
      { name: "skip", args: "web" },
      { name: "assign", args: "docs builder" },
    ]);
  });

  it("with all that follows, where it asks for another plan", () => {
    const body = "/replan split it:\n\n- first `a`\n- then b\n\n```\n/approve\n```\n\n/status";
    expect(parseCommands(body)).toMatchObject([
      { name: "replan", args: "split it:\n\n- first `a`\n- then b\n\n```\n/approve\n```" },
      { name: "status", args: "" },
    ]);
  });
});

describe("a line that looks like a command is none", () => {
  it.each([
    ["right below a quote, which it goes on", "> they said\n/approve"],
    ["right below an item, which it goes on", "- item\n/approve"],
    ["indented to an item", "- item\n\n  /approve"],
    ["in code that spans lines", "this `is\n/approve\n` code"],
    ["in a tag that spans lines", 'see <a title="\n/approve\n">this</a>'],
    ["as the target of a link that is defined", "[plan]:\n/approve"],
    ["in the title of a link that is defined", '[plan]: target "a\n/approve\n"'],
    ["as an underlined heading", "/approve\n========"],
    ["in an element's block", "<details>\n/approve\n</details>"],
    ["in a script's block, after a gap", "<script>\n\n/approve\n</script>"],
    ["in a fence that a shorter one does not close", "````\n```\n/approve\n````"],
  ])("%s", (_where, body) => {
    expect(mayHoldCommands(body)).toBe(true);
    expect(names(body)).toEqual([]);
  });
});

/** Lines of top-level paragraphs by a whole Markdown parser, those inside of inline code and HTML left out. */
function listByParser(body: string): ReadonlySet<number> {
  const open = new Set<number>();
  for (const node of fromMarkdown(body).children) {
    if (node.type !== "paragraph" || node.position === undefined) continue;
    for (let line = node.position.start.line; line <= node.position.end.line; line += 1) open.add(line - 1);
    for (const { type, position } of node.children)
      if ((type === "inlineCode" || type === "html") && position !== undefined)
        for (let { line } = position.start; line < position.end.line; line += 1) open.delete(line);
  }
  return open;
}

const PARTS = [
  "/approve", "  /cancel now", "/replan do", "a", "word", "> ", ">", "- ", "* ", "1. ", "2) ", "1.", "   - ", "-", "*",
  "---", "- - -", "===", "# ", "```", "~~~", "````", "`", "``", "\\`", "<!--", "-->", "<div>", "</div>", "<b>", '<a b="',
  '">', "<?", "?>", "<![CDATA[", "]]>", "<!A", "<pre>", "</pre>", "<script", "[a]: b", "[a]:", "[a](b)", "](", "|",
  "<http://x>", "<a`b@c.d>", " ", "    ", "\t",
]; // prettier-ignore

it("what is taken for a command stands in a paragraph for a whole Markdown parser, too", () => {
  const part = fc.tuple(fc.constantFrom(...PARTS), fc.constantFrom("", "\n", "\n", "\n\n"));
  const comment = fc.array(part, { maxLength: 14 }).map((parts) => parts.flat().join(""));
  fc.assert(
    fc.property(comment, (body) => {
      const open = listByParser(body);
      for (const line of listOpenLines(body.split("\n"))) if (!open.has(line)) return false;
      return true;
    }),
    { numRuns: 3_000 },
  );
});

/** What keeps a parser that builds a tree, or one that looks ahead again and again, busy for minutes. */
const HOSTILE: ReadonlyArray<readonly [what: string, body: string]> = [
  ["quotes in quotes", ">".repeat(65_000)],
  ["lists in lists", "- ".repeat(32_500)],
  ["a rule that is none", `${"- ".repeat(32_400)}a`],
  ["quotes and lists in turn", ">- ".repeat(21_600)],
  ["a quote that goes on and on", `${">".repeat(60)}a\n${"b\n".repeat(32_000)}`],
  ["items", "- a\n".repeat(16_000)],
  ["empty items", "-\n".repeat(32_000)],
  ["quotes with gaps", ">\n\n".repeat(21_000)],
  ["underlined headings", "a\n=\n".repeat(16_000)],
  ["definitions", '[a]: b "c\n'.repeat(6_500)],
  ["hidden comments that do not end", `a ${"<!-- ".repeat(12_900)}`],
  ["instructions that do not end", `a ${"<?".repeat(32_400)}`],
  ["sections that do not end", `a ${"<![CDATA[".repeat(7_200)}`],
  ["tags that do not end", `a ${'<a b="c '.repeat(8_100)}`],
  ["a tag of white space", `a <a${" ".repeat(64_000)}`],
  ["a tag of attributes", `a <a${" b".repeat(32_000)}`],
  ["ticks, each run longer", Array.from({ length: 355 }, (_, n) => "`".repeat(n + 1)).join("a")],
  ["ticks alone", "`".repeat(65_000)],
  ["brackets", "[".repeat(65_000)],
  ["links", "[a](".repeat(16_200)],
  ["emphasis", "**a*".repeat(16_200)],
  ["white space", `${" ".repeat(64_900)}a`],
  ["bare line ends", "\r".repeat(65_000)],
];

it.each(HOSTILE)("a comment of 65,000 characters made of %s costs next to nothing", (_what, body) => {
  const before = process.cpuUsage();
  parseCommands(`${body}\n\n/approve`);
  parseCommands(`/approve\n${body}`);
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});
