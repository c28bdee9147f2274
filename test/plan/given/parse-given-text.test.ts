import { describe, expect, it } from "@jest/globals";
import { parseGivenText } from "../../../src/plan/given/parse-given-text.ts";

const found = (value: unknown) => ({ kind: "found", value });
const broken = (why: unknown) => ({ kind: "broken", why });

describe("the text of a plan that a person wrote", () => {
  it.each([
    ["a plan", "goal: g\nchunks: [{ id: a }]", { goal: "g", chunks: [{ id: "a" }] }],
    ["a list of chunks", "- id: a\n- id: b", { chunks: [{ id: "a" }, { id: "b" }] }],
    ["one chunk", "id: a\nbrief: b", { chunks: [{ id: "a", brief: "b" }] }],
    ["a plan with an id", "id: a\nchunks: []", { id: "a", chunks: [] }],
    ["a part of a plan", "goal: g", { goal: "g" }],
    ["JSON behind a byte order mark", '\uFEFF{"chunks": []}', { chunks: [] }],
    ["a plan with a few aliases", "a: &a [1]\nb: [*a, *a, *a]", { a: [1], b: [[1], [1], [1]] }],
  ])("may be %s", (_what, text, value) => {
    expect(parseGivenText(text)).toEqual(found(value));
  });

  it.each([
    ["no YAML", "chunks: [", /^Flow sequence.*$/u],
    ["a key twice", "a: 1\na: 2", /^Map keys must be unique at line 2, column 1:$/u],
    ["a tag nobody knows", "a: !secret x", /^Unresolved tag: !secret/u],
    ["aliases that unfold", `a: &a [1, 1]\nb: [${Array(21).fill("*a").join(", ")}]`, /alias/u],
    ["a word", "greet", /^it is neither a plan nor a chunk$/u],
    ["nothing", "", /^it is neither a plan nor a chunk$/u],
  ])("is refused as %s", (_what, text, why) => {
    expect(parseGivenText(text)).toEqual(broken(expect.stringMatching(why)));
  });

  it("is refused above 256 Ki characters", () => {
    const text = (length: number) => `goal: ${"x".repeat(length - 6)}`;
    expect(parseGivenText(text(256 * 1024)).kind).toBe("found");
    expect(parseGivenText(text(256 * 1024 + 1))).toEqual(broken("it is longer than 262144 characters"));
  });
});
