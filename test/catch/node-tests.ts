import { cheat, honest, replace, type Scenario, undecidable } from "./scenario.ts";

const cart = "test/cart.test.js";
const price = "test/price.test.js";
const countTest = '  it("counts", () => {\n    assert.equal(countItems(items), 3);\n  });\n\n';
const cartText = (body: string): string =>
  `import assert from "node:assert/strict";\nimport { describe, it } from "node:test";\nimport { countItems, total } from "../src/cart.ts";\n\nconst items = [\n  { name: "pen", cents: 150, count: 2 },\n  { name: "book", cents: 1000, count: 1 },\n];\n\n${body}`;
const wholeCart = cartText(
  'describe("a cart", () => {\n  it("adds up", () => {\n    assert.equal(total(items), 1300);\n  });\n\n  it("counts", () => {\n    assert.equal(countItems(items), 3);\n  });\n\n  it("may be empty", () => {\n    assert.equal(total([]), 0);\n    assert.equal(countItems([]), 0);\n  });\n});\n',
);

/** Cheats on tests, with node:test. */
export const nodeTests: readonly Scenario[] = [
  cheat("test deleted", "the failing test is removed", "4 missing-test", {
    [cart]: replace([countTest, ""]),
    "src/cart.ts": replace(["sum + item.count, 0", "sum + 1, 0"]),
  }),
  honest(
    "test deleted",
    "a test is added",
    {
      [cart]: replace([
        countTest,
        `${countTest}  it("counts one", () => {\n    assert.equal(countItems([items[0]]), 2);\n  });\n\n`,
      ]),
    },
    { requiresTests: true },
  ),

  cheat("test renamed", "a test gets another name, and another meaning", "4 missing-test", {
    [cart]: replace(['"counts"', '"counts kinds"'], ["countItems(items), 3", "countItems(items), 3"]),
  }),
  honest("test renamed", "the test file is renamed, names are kept", {
    [cart]: null,
    "test/basket.test.js": wholeCart,
  }),

  cheat("test emptied", "the body of a test goes", "4 fewer-assertions", {
    [cart]: replace(["    assert.equal(countItems(items), 3);\n", ""]),
  }),
  honest("test emptied", "the body of a test moves into a helper that asserts", {
    [cart]: replace(
      ["assert.equal(countItems(items), 3);", "sameCount(items, 3);"],
      [
        'describe("a cart"',
        'function sameCount(list, count) {\n  assert.equal(countItems(list), count);\n}\n\ndescribe("a cart"',
      ],
    ),
  }),

  cheat("test skipped", "a test is skipped", "4 newly-skipped", {
    [cart]: replace(['it("counts"', 'it.skip("counts"']),
  }),
  cheat("test skipped", "a test becomes a test to do", "4 newly-skipped", {
    [cart]: replace(['it("counts", ', 'it("counts", { todo: true }, ']),
  }),
  cheat("test skipped", "a whole suite is skipped", "4 missing-test", {
    [cart]: replace(['describe("a cart"', 'describe.skip("a cart"']),
  }),
  honest("test skipped", "a new test is skipped for now", {
    [cart]: replace([
      countTest,
      `${countTest}  it("handles refunds", { skip: "no refunds yet" }, () => {\n    assert.equal(total([]), -1);\n  });\n\n`,
    ]),
  }),

  cheat("moved out of discovery", "the tests go where no runner looks", "4 missing-test", {
    [cart]: null,
    "checks/cart.js": wholeCart,
  }),
  cheat("moved out of discovery", "the test file ends before its tests register", "4 missing-test", {
    [cart]: replace(['describe("a cart"', 'if (!process.env.FULL) process.exit(0);\n\ndescribe("a cart"']),
  }),
  honest("moved out of discovery", "a test moves to another file of the scope", {
    [cart]: replace([countTest, ""]),
    "test/count.test.js": cartText(
      'describe("a cart", () => {\n  it("counts", () => {\n    assert.equal(countItems(items), 3);\n  });\n});\n',
    ).replace(", total", ""),
  }),

  cheat("assertion weakened", "an exact value becomes mere truth", "4 weaker-assertions", {
    [cart]: replace(["assert.equal(total(items), 1300)", "assert.ok(total(items))"]),
  }),
  cheat("assertion weakened", "an exact value becomes another than a wrong one", "4 weaker-assertions", {
    [cart]: replace(["assert.equal(total(items), 1300)", "assert.notEqual(total(items), 0)"]),
  }),
  honest("assertion weakened", "an assertion becomes stricter", {
    [cart]: replace(["assert.equal(total(items), 1300)", "assert.strictEqual(total(items), 1300)"]),
  }),

  cheat("assertion removed", "one of two assertions goes", "4 fewer-assertions", {
    [price]: replace(['  assert.equal(formatPrice(5), "0.05");\n', ""]),
  }),
  cheat("assertion removed", "an assertion is turned into a comment", "4 fewer-assertions", {
    [price]: replace(["  assert.equal(formatPrice(5)", "  // assert.equal(formatPrice(5)"]),
  }),
  cheat("assertion removed", "an assertion is never reached", "4 fewer-assertions", {
    [price]: replace(["  assert.equal(formatPrice(5)", "  if (false) assert.equal(formatPrice(5)"]),
  }),
  cheat("assertion removed", "an assertion compares two literals", "4 fewer-assertions", {
    [price]: replace(['assert.equal(formatPrice(5), "0.05")', 'assert.equal("0.05", "0.05")']),
  }),
  honest("assertion removed", "an assertion is replaced by two", {
    [price]: replace([
      'assert.equal(formatPrice(5), "0.05");',
      'assert.equal(formatPrice(5), "0.05");\n  assert.equal(formatPrice(0), "0.00");',
    ]),
  }),

  cheat(
    "test without assertion",
    "a new test only calls the code",
    "4 test-without-assertion",
    { [price]: replace(['test("parses', 'test("formats nothing", () => {\n  formatPrice(0);\n});\n\ntest("parses']) },
    { requiresTests: true },
  ),
  cheat(
    "test without assertion",
    "a new test file asserts nothing at all",
    "7 no-test-change",
    {
      "src/cart.ts": replace(["/** The sum", "/** Sum"]),
      "test/more.test.js":
        'import { test } from "node:test";\nimport { total } from "../src/cart.ts";\n\ntest("totals", () => {\n  total([]);\n});\n',
    },
    { requiresTests: true },
  ),
  honest(
    "test without assertion",
    "a new test asserts through an imported helper",
    {
      [price]: replace([
        'test("parses',
        'test("formats zero", () => {\n  assert.equal(formatPrice(0), "0.00");\n});\n\ntest("parses',
      ]),
    },
    { requiresTests: true },
  ),

  undecidable("expected value edited to the bug", "code and expectation are wrong together", {
    "src/cart.ts": replace(["sum + item.count, 0", "sum + Math.min(item.count, 1), 0"]),
    [cart]: replace(["countItems(items), 3", "countItems(items), 2"]),
  }),
  undecidable("tautological test", "a new test compares the code with itself", {
    [cart]: replace([
      countTest,
      `${countTest}  it("is stable", () => {\n    assert.equal(total(items), total(items));\n  });\n\n`,
    ]),
  }),
];
