import { describe, expect, it } from "@jest/globals";
import { readTestReport } from "../../../src/floor/readers/read-test-report.ts";
import { listCases } from "../support/fixtures.ts";

const read = (text: string): ReturnType<typeof readTestReport> => readTestReport("tap", text);

describe("the Test Anything Protocol", () => {
  it("takes a plan first or last, numbers or none, a dash or none", () => {
    expect(listCases(read("1..2\nok 1 a\nnot ok - b\n"))).toEqual(["passed a", "failed b"]);
    expect(read("TAP version 14\nok\nok\n1..2\n")).toMatchObject({ problems: [], announced: 2 });
  });

  it("reads directives in any case, and hashes that are none", () => {
    const text =
      "1..5\nok 1 - a # skip why\nnot ok 2 - b # Todo later\nok 3 - c \\# skip\nok 4 - d # time=3ms\nok 5 - issue #12\n";
    expect(listCases(read(text))).toEqual([
      "skipped a",
      "skipped b",
      "passed c # skip",
      "passed d",
      "passed issue #12",
    ]);
  });

  it("takes a plan of nothing, skipped as a whole", () => {
    expect(read("TAP version 13\n1..0 # SKIP no network\n")).toEqual({ problems: [], announced: 0, cases: [] });
  });

  it("names subtests with their parents, and counts the parents only when they failed by themselves", () => {
    const text = [
      "TAP version 14",
      "ok 1 - outer {",
      "    1..2",
      "    ok 1 - one",
      "    not ok 2 - two",
      "}",
      "    # Subtest: other",
      "    ok 1 - three",
      "    1..1",
      "not ok 2 - other",
      "1..2",
    ].join("\n");
    expect(listCases(read(text))).toEqual([
      "passed outer > one",
      "failed outer > two",
      "passed other > three",
      "failed other",
    ]);
    expect(read(text).announced).toBe(4);
  });

  it("ignores what is no TAP, and blocks of diagnostics", () => {
    const text = "noise\n1..1\nok 1 - a\n  ---\n  ok 2 - not a line\n  ...\n# ok 3 - a comment\nmore noise\n";
    expect(read(text)).toMatchObject({ problems: [], announced: 1 });
  });
});
