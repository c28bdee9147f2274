import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { parseAnswer } from "../../src/worker/agents/parse-answer.ts";

const accepts = (value: Readonly<Record<string, unknown>>): boolean => "summary" in value;
const answer = '{"summary": "done {really} \\"so\\""}';

describe("what an agent printed", () => {
  it.each([
    ["the object alone", answer],
    ["with a byte order mark and blanks", `\uFEFF\n ${answer} \n`],
    ["in a code fence", `Here you are:\n\n\`\`\`json\n${answer}\n\`\`\`\nBye {now}.`],
    ["after another object", `First I saw {"other": 1}, then:\n${answer}`],
    ["after an open brace", `function () { is open\n${answer}`],
    ["twice the same", `${answer}\n${answer}`],
  ])("is an answer: %s", (_what, text) => {
    const parsed = parseAnswer(text, accepts);
    expect(parsed.kind === "json" ? parsed.value : parsed).toEqual({ summary: 'done {really} "so"' });
  });

  it.each([
    ["nothing", "", "empty"],
    ["blanks", " \n\t", "empty"],
    ["prose", "I am done.", "garbage"],
    ["a list", `[${answer.replace("summary", "text")}]`, "garbage"],
    ["an object of something else", '{"other": {"a": 1}} bye', "garbage"],
    ["the beginning of an object", answer.slice(0, -5), "truncated"],
    ["the beginning of an object after prose", `Well: ${answer.slice(0, -5)}`, "truncated"],
    ["two different answers", `${answer}\n{"summary": "not done"}`, "ambiguous"],
  ])("is none: %s", (_what, text, kind) => {
    expect(parseAnswer(text, accepts).kind).toBe(kind);
  });

  it("is found in whatever prose without braces stands around it", () => {
    const prose = fc.string().map((text) => text.replaceAll(/[{}"]/gu, ""));
    fc.assert(
      fc.property(prose, prose, fc.jsonValue(), (before, after, value) => {
        const text = JSON.stringify({ summary: value });
        expect(parseAnswer(`${before}\n${text}\n${after}`, accepts)).toMatchObject({
          kind: "json",
          value: JSON.parse(text),
        });
      }),
    );
  });

  it.each([
    ["open braces", "{".repeat(8_000_000)],
    ["braces in braces", "{".repeat(200_000) + "}".repeat(200_000)],
    ["quotes", '{"'.repeat(1_000_000)],
  ])("is given up in time, also when it is made of %s", (_what, text) => {
    const started = performance.now();
    expect(parseAnswer(text, accepts).kind).not.toBe("json");
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
