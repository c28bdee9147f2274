import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { styleText } from "node:util";
import { formatFindings } from "../../src/cli/doctor/finding.ts";
import { formatTerminalLine, formatTerminalText } from "../../src/cli/terminal-text.ts";

const CLIPBOARD = "\u001b]52;c;ZXZpbA==\u0007";

describe("others' words on a terminal", () => {
  it("are one line, indented as we indent it", () => {
    expect(formatTerminalLine(`  months: ${CLIPBOARD}\nok  all is well\u2028`)).toBe(
      "  months: ]52;c;ZXZpbA== ok all is well ",
    );
  });

  it("change nothing but what is read, in text of several lines", () => {
    expect(formatTerminalText(`a\tb\r\nc\u001b[2J\u009b1A\rd${CLIPBOARD}\u001b[8mhidden`)).toBe(
      "a\tb\nc[2J1Ad]52;c;ZXZpbA==[8mhidden",
    );
  });

  it("leave our own colours", () => {
    const painted = [
      styleText("red", "bad", { validateStream: false }),
      styleText("yellow", "hm", { validateStream: false }),
      "\u001b[32mpass\u001b[0m",
      "\u001b[2mdim\u001b[0m",
    ];
    for (const text of painted) expect(formatTerminalText(text)).toBe(text);
  });

  it("hold nothing that is obeyed, whatever they are", () => {
    const nasty = fc.string({
      unit: fc.constantFrom("\u001b", "[", "]", "3", "1", ";", "m", "8", "\u0007", "\u009b", "\r", "\n", "\u202e", "a"),
    });
    fc.assert(
      fc.property(nasty, (text) => {
        expect(formatTerminalLine(text)).not.toMatch(/[\p{Cc}\u202e]/u);
        const rest = ["1", "31", "33"].reduce(
          (shown, colour) => shown.replaceAll(`\u001b[${colour}m`, ""),
          formatTerminalText(text),
        );
        expect(rest).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
      }),
    );
  });

  it("forge no finding of the doctor", () => {
    const text = formatFindings([
      {
        check: "webhook",
        level: "problem",
        what: `GitHub says: no\nok       app: fine${CLIPBOARD}`,
        why: "w",
        fix: "f",
      },
    ]);
    expect(text).not.toMatch(/^ok /mu);
    expect(text).toContain("PROBLEM  webhook: GitHub says: no ok app: fine]52;c;ZXZpbA==\n");
  });
});
