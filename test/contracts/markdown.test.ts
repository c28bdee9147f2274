import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import {
  escapeHtmlText,
  escapeMarkdownText,
  escapeMermaidLabel,
  escapeTableCell,
  formatCode,
  formatCodeBlock,
  formatOneLine,
  formatTableCode,
  neutraliseMentions,
} from "../../src/contracts/markdown.ts";

const joiner = "\u2060";

/** What a reader of the rendered Markdown sees, and the kinds of nodes it is made of. */
function readMarkdown(markdown: string): { text: string; kinds: Set<string> } {
  const kinds = new Set<string>();
  let text = "";
  const stack = [fromMarkdown(markdown) as { type: string; value?: string; children?: unknown[] }];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    kinds.add(node.type);
    text += node.value ?? "";
    stack.push(...((node.children ?? []) as (typeof node)[]).toReversed());
  }
  return { text, kinds };
}

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        "`",
        "``",
        "|",
        "*",
        "_",
        "[",
        "](",
        "x",
        " ",
        "<b>",
        "-->",
        "<!--",
        "#",
        "1. ",
        "- ",
        "> ",
        "\\",
        "&amp;",
        "@a",
        "#1",
        "~~",
        "$",
        ":x:",
        "\n",
        "![",
        "http://a.b",
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join("")),
);

describe("untrusted text in prose", () => {
  it("is shown as it is and adds no structure", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const line = formatOneLine(text).trim();
        const { text: shown, kinds } = readMarkdown(`x${escapeMarkdownText(line)}`);
        expect(shown.replaceAll(joiner, "").slice(1)).toBe(line.replaceAll(joiner, ""));
        expect([...kinds].filter((kind) => !["root", "paragraph", "text"].includes(kind))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it("begins no list, heading, quote or rule at the start of a line", () => {
    for (const text of [
      "- x",
      "+ x",
      "* x",
      "1. x",
      "1) x",
      "# x",
      "> x",
      "---",
      "===",
      "    x",
      "~~~",
      "```",
      "| a | b |",
    ]) {
      const { kinds } = readMarkdown(escapeMarkdownText(text));
      expect([text, [...kinds].toSorted()]).toEqual([text, ["paragraph", "root", "text"]]);
    }
  });

  it("looks like this", () => {
    expect(escapeMarkdownText('a "b" `c` | <script>alert(1)</script> #1 @octocat & *d* _e_ :tada: x: y')).toBe(
      `a "b" \\\`c\\\` \\| &lt;script&gt;alert(1)&lt;/script&gt; \\#${joiner}1 @${joiner}octocat &amp; \\*d\\* \\_e\\_ \\:tada: x: y`,
    );
    expect(escapeMarkdownText("a\r\n\u202eb\u200b\u0007 (c)! d-e+f=g^h")).toBe("a b (c)! d-e+f=g^h");
  });

  it("is one cell of a table", () => {
    expect(escapeTableCell("a|b\nc")).toBe("a\\|b c");
    expect(escapeTableCell(" \n")).toBe(" ");
  });

  it("is text inside an HTML element", () => {
    expect(escapeHtmlText('</summary><b>"&"\n@a #2')).toBe(
      `&lt;/summary&gt;&lt;b&gt;&quot;&amp;&quot; @${joiner}a #${joiner}2`,
    );
  });
});

describe("names, numbers and addresses", () => {
  it.each([
    ["@octocat", `@${joiner}octocat`],
    ["@org/team", `@${joiner}org/team`],
    ["a@b.example", `a@${joiner}b.example`],
    ["#12", `#${joiner}12`],
    ["owner/repo#12", `owner/repo#${joiner}12`],
    ["GH-12 gh-3", `GH-${joiner}12 gh-${joiner}3`],
    ["https://x.example/y", `https:${joiner}//x.example/y`],
    ["ftp://x", `ftp:${joiner}//x`],
    ["www.example.org", `www${joiner}.example.org`],
    ["mailto:a@b", `mailto:${joiner}a@${joiner}b`],
    ["0123abc", `012${joiner}3abc`],
    ["fixes 0123456789abcdef0123456789abcdef01234567", `fixes 012${joiner}3456789abcdef0123456789abcdef01234567`],
    ["1234567 # x @ y", "1234567 # x @ y"],
    ["defaced facade", "defaced facade"],
    ["a: b // c", "a: b // c"],
  ])("%j reach nobody", (text, expected) => {
    expect(neutraliseMentions(text)).toBe(expected);
  });
});

describe("untrusted text as code", () => {
  it("is shown literally, whatever backticks it holds", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const line = formatOneLine(text);
        if (line.trim() === "") return;
        const { text: shown, kinds } = readMarkdown(`x ${formatCode(text)} y`);
        expect(shown).toBe(`x ${line} y`);
        expect(kinds).toEqual(new Set(["root", "paragraph", "text", "inlineCode"]));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["a", "`a`"],
    ["a`b", "``a`b``"],
    ["`a", "`` `a ``"],
    ["a`", "`` a` ``"],
    [" a ", "`  a  `"],
    [" a", "` a`"],
    ["", "` `"],
    ["\n", "` `"],
  ])("%j is fenced", (text, expected) => {
    expect(formatCode(text)).toBe(expected);
  });

  it("keeps its bars in a table", () => {
    expect(formatTableCode("a|b||c")).toBe("`a\\|b\\|\\|c`");
  });

  it("may have several lines", () => {
    expect(formatCodeBlock("a\n```\nb", "text")).toBe("````text\na\n```\nb\n````");
    expect(formatCodeBlock("a\n")).toBe("```\na\n```");
    const { text, kinds } = readMarkdown(formatCodeBlock("# x\n`````\n<!-- y", "text"));
    expect(text).toBe("# x\n`````\n<!-- y");
    expect(kinds).toEqual(new Set(["root", "code"]));
  });
});

describe("untrusted text in a Mermaid label", () => {
  it("holds no character Mermaid or HTML would read", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const label = escapeMermaidLabel(text);
        expect(label.replaceAll(/#\d+;/g, "")).not.toMatch(/["<>&#;`|\\{}[\]()@%:*_/$~^=\n]/);
        const decoded = label.replaceAll(/#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
        expect(decoded).toBe(formatOneLine(text));
      }),
    );
  });

  it("begins no Markdown list", () => {
    expect(["- a", "+ a", "1. a", "12. a", "a-1."].map(escapeMermaidLabel)).toEqual([
      "#45; a",
      "#43; a",
      "1#46; a",
      "12#46; a",
      "a-1.",
    ]);
  });
});
