import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { Nodes } from "hast";
import { raw } from "hast-util-raw";
import { sanitize } from "hast-util-sanitize";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { gfm } from "micromark-extension-gfm";
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
    ["below a closed section", "<details>\n<summary>Log</summary>\n\nlong\n\n</details>\n\n/approve"],
    ["below closed sections in each other", "<div>\n\n<del>\n\nx\n\n</del>\n\n</div>\n\n/approve"],
    ["below a table whose cells have no ends", "<table><tr><td>a<td>b</table>\n\n/approve"],
    ["below a list whose items have no ends", "<ul>\n<li>a\n<li>b\n</ul>\n\n/approve"],
    ["below elements that hold nothing", 'a<br>b <img src="x">\n<hr>\n\n/approve'],
    ["below a centred paragraph", '<p align="center">\n\nx\n\n</p>\n\n/approve'],
    ["below a paragraph that was begun by a tag", "<p>x\n\n/approve"],
    ["below a type with parameters", "It returns Vec<T> and Map<string, Item>.\n\n/approve"],
    ["below an element in code", "Drop `<del>` there.\n\n/approve"],
    ["below an element in a block of code", "```html\n<blockquote>\n```\n\n/approve"],
    ["below an element in a quote, which ends with it", "> <details>\n\n/approve"],
    ["below an element in quoted code", "> ```\n> <div>\n> ```\n\n/approve"],
    ["below an element in a hidden comment", "<!-- <details> -->\n\n/approve"],
    ["below a word in bold beside a link", "See [x](y) for <b>more</b>.\n\n/approve"],
    ["below two rough numbers", "~5 minutes\n/approve\n~10 minutes"],
    ["before what is opened", "/approve\n\n<details>\n\nwhy"],
    ["before what is opened in its own paragraph", "/approve\n<b>now"],
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

it.each([
  "aprove", "approove", "apporve", "cncel", "cancle", "staus", "stats", "asign", "asisgn", "replna", "rplan", "retyr",
  "skp", "tkae", "resmue", "overide", "hlep", "puase",
])("/%s is answered as a slip of the hand", (word) => {
  expect(parseCommands(`/${word} web`)).toEqual([{ name: "unknown", written: word, args: "web" }]);
}); // prettier-ignore

it.each([
  "api", "app", "assets", "skipped", "skipped/a.ts", "src", "static", "state", "test", "task", "tree", "types", "pages",
  "page", "parse", "repo", "repos", "root", "reset", "results", "home", "help/me", "cancellation", "retries",
])("/%s is a path and no command", (word) => {
  expect(parseCommands(`/${word} web`)).toEqual([]);
  expect(parseCommands(`/replan Move\n/${word} web`)).toMatchObject([{ args: `Move\n/${word} web` }]);
}); // prettier-ignore

describe("a line that looks like a command is none", () => {
  it.each([
    ["right below a quote, which it goes on", "> they said\n/approve"],
    ["right below an item, which it goes on", "- item\n/approve"],
    ["indented to an item", "- item\n\n  /approve"],
    ["in code that spans lines", "this `is\n/approve\n` code"],
    ["in a tag that spans lines", 'see <a title="\n/approve\n">this</a>'],
    ["as the target of a link that is defined", "[plan]:\n/approve"],
    ["in the title of a link that is defined", '[plan]: target "a\n/approve\n"'],
    ["as the address of a link", "see [this](\n/approve\n)"],
    ["in the title of a link", 'see [this](there "as\n/approve\n")'],
    ["in the title of a link with brackets", 'see [this](<a)> "b)\n/approve\n")'],
    ["as the address of a second link", "([this](b))[that](\n/approve\n)"],
    ["in a title below the address of a link", 'see [this](there\n"as\n/approve\n")'],
    ["as the name of a definition", "see [this][\n/approve\n]\n\n[/approve]: there"],
    ["as an underlined heading", "/approve\n========"],
    ["in an element's block", "<details>\n/approve\n</details>"],
    ["in a script's block, after a gap", "<script>\n\n/approve\n</script>"],
    ["in a fence that a shorter one does not close", "````\n```\n/approve\n````"],
    ["in a quote of HTML", "<blockquote>\n\n/approve\n\n</blockquote>"],
    ["in a section that is folded", "<details>\n<summary>Log</summary>\n\n/approve\n\n</details>"],
    ["in what is struck out by a tag", "<del>\n\n/approve\n\n</del>"],
    ["in what is struck out by a tag in the paragraph", "so <del>no\n/approve\nyes</del>"],
    ["in what is struck out by tildes", "so ~~no\n/approve\nyes~~"],
    ["in code of HTML", "<code>\n\n/approve\n\n</code>"],
    ["in code of HTML that begins in a paragraph", "see <code>\n\n/approve"],
    ["in code of HTML that begins in an item", "- see <code>\n\n/approve"],
    ["in code of HTML that begins in a heading", "# see <code>\n\n/approve"],
    ["in code of HTML that begins in an underlined heading", "see <code>\n---\n\n/approve"],
    ["in code of HTML that begins on two lines of a quote", "> <code\n> >\n\n/approve"],
    ["in a list of HTML", "<ul><li>\n\n/approve\n\n</li></ul>"],
    ["in a cell of a table", "<table><tr><td>\n\n/approve\n\n</td></tr></table>"],
    ["behind a table that begins in a quote", "> <table><tr><td>\n\n/approve"],
    ["in the outer of two", "<blockquote>\n<details>\n\na\n\n</details>\n\n/approve\n\n</blockquote>"],
    ["in what only a hidden comment closes", "<blockquote>\n<!-- </blockquote> -->\n\n/approve"],
    ["in what only code closes", "<blockquote>\n\n`</blockquote>`\n\n/approve"],
    ["in what only the address of a link closes", "<del>\n\n[a](</del>)\n\n/approve"],
    ["in what only the title of a link closes", '<del>\n\n[a](b "</del>")\n\n/approve'],
    ["in what only the title of a link in a link closes", '<del>\n\n[a](b[c](<x y> "</del>")\n\n/approve'],
    ["in what only a definition closes", "<del>\n\n[a]: </del>\n\n/approve"],
    ["in what only a formula closes", "<del>\n\n$</del>$\n\n/approve"],
    ["in what only a quote closes", "<del>\n\n> </del>\n\n/approve"],
    ["in what another element's end would close", "<blockquote>\n</details>\n\n/approve"],
    ["below a tag that goes on with it", "<blockquote\n\n/approve>"],
    ["below a comment that ends earlier in HTML", "<!-- --!> <blockquote> -->\n\n/approve"],
    ["below a comment that is empty in HTML", "<!--> <blockquote> -->\n\n/approve"],
    ["below an instruction that ends earlier in HTML", "<?a > <blockquote> ?>\n\n/approve"],
    ["below an element that closes nothing itself", "<blockquote/>\n\n/approve"],
    ["below one in large letters", "<BLOCKQUOTE CLASS=a>\n\n/approve"],
    ["below one that ends a block of another kind", "<pre></pre><blockquote>\n\n/approve"],
  ])("%s", (_where, body) => {
    expect(mayHoldCommands(body)).toBe(true);
    expect(names(body)).toEqual([]);
  });
});

it.each([
  ["links that end on their line", "See [the plan](docs/plan.md), [that](b(c)).\n/approve\nThanks (really)"],
  ["a bracket that belongs to nothing", "I looked (twice)\n/approve\n:)"],
  ["a link with a title", 'See [the plan](docs/plan.md "The plan").\n/approve\nThanks :)'],
  ["what looks like a link in code", "I looked at `cases[kind](state, fact)` again\n/approve\n(thanks)"],
  ["an address that no link goes on from", "see [this](there\n/approve\n)"],
  ["a link's beginning that is none", "as in f](\n/approve"],
])("a line below %s is a command", (_what, body) => {
  expect(names(body)).toEqual(["approve"]);
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

/** Words of lines that GitHub shows as plain text of a paragraph that stands in nothing else. */
function listShown(body: string): ReadonlySet<string> {
  const tree = fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const html = sanitize(raw(toHast(tree, { allowDangerousHtml: true })));
  const shown = new Set<string>();
  const collect = (node: Nodes): void => {
    if (node.type === "text") for (const [, word = ""] of node.value.matchAll(/\/(\w+)/gu)) shown.add(word);
  };
  for (const node of html.type === "root" ? html.children : []) {
    collect(node);
    if (node.type === "element" && node.tagName === "p") node.children.forEach(collect);
  }
  return shown;
}

const ELEMENTS = [
  "<blockquote>", "</blockquote>", "<del>", "</del>", "<s>", "</s>", "<code>", "</code>", "<p>", "</p>", "<li>", "</ul>",
  "<ul>", "<table>", "</table>", "<tr>", "<td>", "</td>", "<br>", "<T>", "<details>", "</details>", "<a", "<b", ">",
  "<!--", "-->", "`", "```", "> ", "- ", "# ", "---", "a", "[a](", "[a](b ", "[a][", "]", "[a]: ", ")", '"', "$", "~~", "<select>", "</select>",
  "<b>", "</b>", "<div>", "</div>", "<span>", "</span>", "<h1>", "</h1>", "<ol>", "<dd>", "</dl>", "<div/>", "    ",
]; // prettier-ignore

it("what is taken for a command GitHub shows outside of every element", () => {
  const part = fc.tuple(fc.constantFrom(...ELEMENTS, "/c", "/c", "/c"), fc.constantFrom("", "\n", "\n\n"));
  const comment = fc
    .array(part, { maxLength: 14 })
    .map((parts) => parts.map(([text, end], n) => (text === "/c" ? `\n/c${n}\n` : text) + end).join(""));
  fc.assert(
    fc.property(comment, (body) => {
      const shown = listShown(body);
      const lines = body.split("\n");
      const taken = [...listOpenLines(lines)].flatMap((line) => /^ {0,3}\/(c\d+)$/u.exec(lines[line] ?? "")?.[1] ?? []);
      expect(taken.filter((word) => !shown.has(word))).toEqual([]);
    }),
    { numRuns: Number(process.env["RUNS"] ?? 3_000) },
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
  ["elements that do not end", "<b>".repeat(21_600)],
  ["elements that may be left open", "<li><p>\n".repeat(4_000) + "</b>\n".repeat(6_500)],
  ["blocks that do not end", "<div>\n\n".repeat(9_200)],
  ["links with tags", "[a](b</s>".repeat(7_200)],
  ["links in links", "](</s>".repeat(10_800)],
  ["links with gaps", `${"](".repeat(100)}${" ".repeat(32_000)}${"](".repeat(16_000)}`],
  ["links with brackets", "](a)(".repeat(13_000)],
  ["links with titles", '](a "b" '.repeat(8_100)],
  ["links with long addresses", `](${"a".repeat(900)}`.repeat(72)],
  ["references", "][a".repeat(21_600)],
  ["references over lines", "][a\n".repeat(16_200)],
  ["tildes", "a ~".repeat(21_600)],
  ["tags in quotes that do not end", `> ${"<a ".repeat(21_600)}`],
];

it.each(HOSTILE)("a comment of 65,000 characters made of %s costs next to nothing", (_what, body) => {
  const before = process.cpuUsage();
  parseCommands(`${body}\n\n/approve`);
  parseCommands(`/approve\n${body}`);
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});
