import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { CHECK_LIMIT, cutMarkdown, type SizeLimit } from "../../src/messages/cut-markdown.ts";
import { renderHtml } from "./render-html.ts";

const NOTICE = "_The rest was left out._";
const characters = (most: number): SizeLimit => ({ unit: "characters", most });

describe("cutting Markdown", () => {
  it("leaves a text that fits as it is", () => {
    expect(cutMarkdown("short\ntext", characters(100), NOTICE)).toBe("short\ntext");
  });

  it("closes a code fence, with as many backticks as opened it", () => {
    const text = `before\n\n\`\`\`\`sh\n${"echo one\n".repeat(100)}\`\`\`\`\nafter`;
    const cut = cutMarkdown(text, characters(200), NOTICE);
    expect(cut.length).toBeLessThanOrEqual(200);
    expect(cut).toMatch(/echo one\n````\n\n_The rest was left out\._$/u);
  });

  it("takes a shorter fence inside a longer one for text", () => {
    const text = `\`\`\`\`\n\`\`\`\n${"line\n".repeat(100)}`;
    expect(cutMarkdown(text, characters(100), NOTICE)).toMatch(/line\n````\n\n_The rest/u);
  });

  it("closes collapsed parts", () => {
    const text = `<details>\n<summary>a</summary>\n\n<details>\n<summary>b</summary>\n\n${"text\n".repeat(100)}\n</details>\n\n</details>`;
    const html = renderHtml(cutMarkdown(text, characters(200), NOTICE));
    expect(html.match(/<\/details>/gu)).toHaveLength(2);
    expect(html).toMatch(/<\/details>\s*<p><em>The rest was left out\.<\/em><\/p>$/u);
  });

  it("cuts a table between rows", () => {
    const rows = Array.from(
      { length: 200 },
      (_, index) => `| ${index} | [link](https://github.com/octo/tally/${index}) |`,
    );
    const cut = cutMarkdown(`| a | b |\n| --- | --- |\n${rows.join("\n")}`, characters(1000), NOTICE);
    expect(renderHtml(cut).match(/<table>/gu)).toHaveLength(1);
    expect(
      cut
        .split("\n")
        .filter((line) => line.startsWith("|"))
        .every((line) => line.endsWith(" |")),
    ).toBe(true);
  });

  it("counts bytes where GitHub does", () => {
    const cut = cutMarkdown("ää\n".repeat(30_000), CHECK_LIMIT, NOTICE);
    const bytes = new TextEncoder().encode(cut).length;
    expect(bytes).toBeLessThanOrEqual(65_535);
    expect(bytes).toBeGreaterThan(65_000);
  });

  it("never exceeds the limit, never leaves a fence open, and says that it cut", () => {
    const line = fc.constantFrom("text", "```", "````js", "<details>", "</details>", "| a | b |", "", "äöü", "- item");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 120, max: 300 }), (lines, most) => {
        const text = lines.join("\n");
        const cut = cutMarkdown(text, characters(most), NOTICE);
        expect(cut.length).toBeLessThanOrEqual(most);
        if (cut !== text) expect(renderHtml(cut)).toContain("<em>The rest was left out.</em>");
      }),
      { numRuns: 300 },
    );
  });
});
