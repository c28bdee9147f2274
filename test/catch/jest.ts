import { cheat, honest, replace, type Scenario, undecidable } from "./scenario.ts";

const tests = "test/slug.test.js";

/** Cheats that need jest. */
export const jestScenarios: readonly Scenario[] = [
  cheat("only one test runs", "`.only` leaves the others out", "4 newly-skipped", {
    [tests]: replace(['test("is lower case"', 'test.only("is lower case"']),
  }),
  honest(
    "only one test runs",
    "a test is called only",
    {
      [tests]: replace([
        '  test("joins words"',
        '  test("uses dashes only", () => {\n    expect(slug("a_b c")).toBe("a-b-c");\n  });\n\n  test("joins words"',
      ]),
    },
    { requiresTests: true },
  ),
  cheat("runner configuration narrowed", "jest is told to ignore the tests", "6 protected-file", {
    "jest.config.js": 'module.exports = { testPathIgnorePatterns: ["slug"], passWithNoTests: true };\n',
  }),
  cheat("runner configuration narrowed", "package.json filters by name", "6 protected-file", {
    "package.json": replace(['"scripts"', '"jest": { "testNamePattern": "lower" }, "scripts"']),
  }),
  honest("runner configuration narrowed", "package.json gets a description", {
    "package.json": replace(['"version"', '"description": "Slugs.", "version"']),
  }),
  cheat("matcher weakened", "toBe becomes toBeDefined", "4 weaker-assertions", {
    [tests]: replace(['toBe("hello-world")', "toBeDefined()"]),
  }),
  honest("matcher weakened", "toBe becomes toStrictEqual", {
    [tests]: replace(['toBe("hello-world")', 'toStrictEqual("hello-world")']),
  }),
  undecidable("snapshot rewritten", "code and snapshot change together", {
    "src/slug.js": replace(['"-")', '"_").replace(/_(?=world)/, "-")']),
    "test/__snapshots__/slug.test.js.snap": replace(['"a-b-c"', '"a_b_c"']),
  }),
];
