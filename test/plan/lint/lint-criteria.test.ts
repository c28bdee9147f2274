import { describe, expect, it } from "@jest/globals";
import { buildChunk, buildValidPlan } from "../build-valid-plan.ts";
import { lint, list, withChunk } from "./list-warnings.ts";

describe("criteria", () => {
  it("are shown when they cannot fail, cannot be decided, or stand twice", () => {
    const plan = buildValidPlan({
      acceptance: [
        { kind: "check", desc: "works", run: "npm test || true" },
        { kind: "assertion", desc: "It works as expected." },
        { kind: "check", desc: "fails", run: "true", expect_exit: 1 },
        { kind: "assertion", desc: "It works as expected." },
      ],
      chunks: [
        buildChunk("store", {
          checks: [
            { desc: "one", run: "echo done" },
            { desc: "two", run: "npm test" },
            { run: "npm test", desc: "two" },
            { desc: "two", run: "npm test", cwd: "x" },
          ],
          assertions: ["the store keeps its order", "good code quality", "the store keeps its order"],
        }),
      ],
    });
    expect(lint(plan)).toMatchSnapshot();
  });

  it.each([
    "works",
    "It works.",
    "works as expected",
    "Everything works correctly",
    "the feature should work properly",
    "The code is clean",
    "The implementation is correct",
    "all tests pass",
    "tests pass",
    "no bugs",
    "without known issues",
    "High code quality",
    "clean code",
    "well-written code",
    "follows best practices",
    "Uses the best practices",
    "handles errors",
    "handles all edge cases properly",
    "user-friendly",
    "TODO",
    "the code looks really good",
    "it runs without any problems",
    "the UI looks nice",
    "done!",
    "correctness",
  ])("%j is vague", (desc) => {
    expect(list(withChunk({ assertions: [desc] }))).toEqual(["vague-criterion /chunks/0/assertions/0"]);
  });

  it.each([
    "the list works without a reload when a todo is added",
    "GET /todos answers 200 with an empty array",
    "no secrets are logged",
    "errors are typed",
    "handles all errors of the parser by returning 400",
    "the code is split into three modules",
    "an expired token is refused",
    "works offline after the first visit",
    "新しい項目が一覧に表示される",
  ])("%j is not", (desc) => {
    expect(list(withChunk({ assertions: [desc] }))).toEqual([]);
  });
});

describe("a brief", () => {
  it.each([
    ["Implement it.", "has 2 words"],
    ["Implement.", "has 1 word"],
    ["one two three four five six seven -", "has 7 words"],
    ["Build store", "only repeats the title"],
    ["  one   two \n three  ", "has 3 words"],
    ["保存する関数を書く。", "has 4 words"],
    ["BUILD  Store.", "only repeats the title"],
    [
      "Write the parser for all of the fields; TODO: decide on the format.",
      "leaves something open or points elsewhere",
    ],
    ["Write the parser as discussed, with all of the fields in it.", "leaves something open or points elsewhere"],
    ["See the issue for what to do and how to do it in detail.", "leaves something open or points elsewhere"],
    ["Write the parser, the format is to be decided by whoever does it.", "leaves something open or points elsewhere"],
    ["Write the parser for ??? and add all of its fields to it.", "leaves something open or points elsewhere"],
  ])("%j says too little", (brief, weakness) => {
    const found = lint(withChunk({ brief }));
    expect(found.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual(["generic-brief /chunks/0/brief"]);
    expect(found[0]!.message).toBe(`the brief of "store" ${weakness}; an implementer sees nothing else of the plan`);
    expect(found[0]!.allowed).toBe("what to build, where, and how it behaves");
  });

  it("of eight words, or of as much Japanese, is fine", () => {
    expect(lint(withChunk({ brief: "one two three four five six seven eight" }))).toEqual([]);
    expect(lint(withChunk({ brief: "保存された項目を一覧に表示する関数を書く。" }))).toEqual([]);
    expect(lint(withChunk({ brief: "Todos: write a function that adds a todo to the store." }))).toEqual([]);
  });
});
