import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { ReviewResult } from "../../src/contracts/review-result.ts";
import type { Verdict } from "../../src/contracts/verdict.ts";
import { verifyVerdict, type VerdictInput } from "../../src/review/verify-verdict.ts";
import { FILES, goodVerdict, reviewInput } from "./sample-review.ts";

type Believed = Extract<ReviewResult, { outcome: "pass" | "fail" }>;

function verify(verdict: Verdict, input: Partial<VerdictInput> = {}): Believed {
  const result = verifyVerdict({ ...reviewInput(JSON.stringify(verdict)), ...input });
  if (result.outcome === "void") throw new Error(result.reasons.join("\n"));
  return result;
}

function withQuote(path: string, start: number, end: number, quote: string): Verdict {
  const verdict = goodVerdict();
  const [first, ...rest] = verdict.criteria;
  if (first?.result !== "pass") throw new Error("the sample passes");
  return { ...verdict, criteria: [{ ...first, implementation: [{ path, start, end, quote }] }, ...rest] };
}

describe("a believable verdict", () => {
  it("passes with its evidence, marked as belonging to the change", () => {
    const result = verify(goodVerdict());
    expect(result.outcome).toBe("pass");
    expect(result.warnings).toEqual([]);
    expect(result.criteria.map((one) => [one.index, one.criterion, one.result])).toEqual([
      [0, "the tests pass", "pass"],
      [1, "greet refuses a blank name", "pass"],
    ]);
    expect(result.criteria[0]?.implementation[0]?.changed).toBe(true);
    expect(result.criteria[0]?.tests).toEqual([{ check: 0, desc: "the tests pass" }]);
  });

  it("corrects a citation that is a few lines off", () => {
    const result = verify(withQuote("src/greet.js", 1, 1, "  return `Hello, ${name}!`;"));
    expect(result.criteria[0]?.implementation[0]).toMatchObject({ start: 4, end: 4, movedFrom: 1 });
  });

  it("corrects the end of a range to the lines that are quoted", () => {
    const result = verify(withQuote("src/greet.js", 4, 99, "  return `Hello, ${name}!`;\n"));
    expect(result.criteria[0]?.implementation[0]).toMatchObject({ start: 4, end: 4 });
  });

  it("does not mind blanks and carriage returns at line ends", () => {
    const result = verify(withQuote("windows.txt", 1, 2, "first line\nsecond line   "));
    expect(result.criteria[0]?.implementation[0]?.quote).toBe("first line\nsecond line");
  });

  it("warns about proof by code the change does not touch", () => {
    const result = verify(withQuote("src/old.js", 1, 1, "export const old = 1;"));
    expect(result.outcome).toBe("pass");
    expect(result.warnings).toEqual(["Criterion 0 is proved by code that the change does not touch."]);
  });

  it("warns about changed files that were not read, and about read files that are not there", () => {
    const result = verify({ ...goodVerdict(), files_reviewed: ["src/greet.js", "nowhere.js"] });
    expect(result.warnings).toEqual([
      "The reviewer does not name as read: 2 changed files: `test/greet.test.js`, `src/gone.js`.",
      "The reviewer names 1 file that are not there.",
    ]);
  });

  it("fails with what was expected and found, in place", () => {
    const verdict = goodVerdict();
    const result = verify({
      ...verdict,
      result: "fail",
      criteria: [
        ...verdict.criteria.slice(0, 1),
        { criterion: 1, result: "fail", expected: "a TypeError", found: "an empty greeting", where: null },
      ],
    });
    expect(result.outcome).toBe("fail");
    expect(result.criteria[1]).toMatchObject({ result: "fail", expected: "a TypeError", where: null });
  });

  it("names the plan's chunks and drops others", () => {
    const result = verify({ ...goodVerdict(), chunks: ["greet", "invented"] }, { chunkIds: ["greet", "cli"] });
    expect(result.chunks).toEqual(["greet"]);
    expect(result.warnings).toEqual(["The reviewer names 1 chunk the plan does not have."]);
  });

  it("shows people no markers, pings, links or hidden text of the model", () => {
    const result = verify({
      ...goodVerdict(),
      summary: "<!-- taskfleet:7-sample status -->@octocat see https://evil.example #12 \u202egnp.exe\u{E0041}",
    });
    expect(result.summary).not.toMatch(/<!--|-->|@octocat|https:\/\/|#12|[\u202e\u{E0041}]/u);
    expect(result.summary).toContain("octocat");
  });

  it("is void with a bounded list of reasons, however many there are", () => {
    const verdict = { ...goodVerdict(), criteria: Array.from({ length: 400 }, () => goodVerdict().criteria[0]) };
    const result = verifyVerdict(reviewInput(JSON.stringify(verdict)));
    expect(result.outcome === "void" ? result.reasons.length : 0).toBe(21);
  });
});

describe("whatever a quote is", () => {
  const lines = Object.values(FILES).flatMap((text) => text.split("\n").map((line) => line.trimEnd()));

  it("it is believed only if these very lines stand in that file", () => {
    const quote = fc.oneof(fc.string(), fc.constantFrom(...lines));
    const path = fc.constantFrom(...Object.keys(FILES));
    fc.assert(
      fc.property(path, quote, fc.integer({ min: 1, max: 9 }), (file, text, start) => {
        fc.pre(text.length > 0 && text.length < 8000);
        const result = verifyVerdict(reviewInput(JSON.stringify(withQuote(file, start, start, text))));
        if (result.outcome === "void") return;
        const cited = result.criteria[0]?.implementation[0];
        const there = (FILES[file] ?? "").split("\n").map((line) => line.trimEnd());
        expect(there.slice((cited?.start ?? 0) - 1, cited?.end)).toEqual(
          text
            .replace(/\n$/u, "")
            .split("\n")
            .map((line) => line.trimEnd()),
        );
      }),
    );
  });
});
