import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { diffPlans } from "../../src/plan/diff/diff-plans.ts";
import { keepsApproval } from "../../src/plan/diff/plan-diff.ts";
import { diffLines, listDetails } from "../../src/plan/render/describe-change.ts";
import { formatPlanDiff } from "../../src/plan/render/format-plan-diff.ts";
import { renderPlanDiff } from "../../src/plan/render/render-plan-diff.ts";
import { buildChunk, buildPlanOf } from "./build-valid-plan.ts";
import { base, revise } from "./revise-plan.ts";

describe("two texts, line by line", () => {
  it.each([
    ["a", "b", "- a\n+ b"],
    ["a\nb", "a\nc", "- b\n+ c"],
    ["b\na", "c\na", "- b\n+ c"],
    ["a\nb\nc", "a\nx\ny\nc", "- b\n+ x\n+ y"],
    ["a\nb", "a", "- b"],
    ["a", "a\nb", "+ b"],
    ["b", "a\nb", "+ a"],
    ["a\na", "a", "- a"],
    ["a", "a\na\na", "+ a\n+ a"],
    ["a\nb\na", "a\na", "- b"],
    ["a\na", "a\nb\na", "+ b"],
    ["x\ny\nz", "z\ny\nx", "- x\n- y\n- z\n+ z\n+ y\n+ x"],
    ["same", "same", ""],
  ])("%j and %j differ by %j", (old, next, lines) => {
    expect(diffLines(old, next)).toBe(lines);
  });

  it("lose nothing: what is marked makes the one text into the other", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 6 })
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (old, next) => {
        const lines = diffLines(old, next).split("\n");
        const removed = lines.filter((line) => line.startsWith("- ")).length;
        const added = lines.filter((line) => line.startsWith("+ ")).length;
        expect(added - removed).toBe(next.split("\n").length - old.split("\n").length);
        expect(removed).toBeLessThanOrEqual(old.split("\n").length);
      }),
    );
  });
});

describe("what a revision took and gave", () => {
  it("is told field by field", () => {
    const old = buildChunk("a", { deps: ["x", "y"], assertions: ["one"] });
    const next = {
      ...old,
      title: "T",
      tier: "high" as const,
      deps: ["y", "z"],
      files_touched: ["src/a/index.ts"],
      assertions: ["two"],
      requires_tests: true,
    };
    expect(listDetails(old, next)).toEqual([
      { sign: "−", field: "title", text: "Build a" },
      { sign: "+", field: "title", text: "T" },
      { sign: "−", field: "tier", text: "mid" },
      { sign: "+", field: "tier", text: "high" },
      { sign: "−", field: "dep", text: "x" },
      { sign: "+", field: "dep", text: "z" },
      { sign: "−", field: "file", text: "test/a.test.ts" },
      { sign: "−", field: "assertion", text: "one" },
      { sign: "+", field: "assertion", text: "two" },
      { sign: "−", field: "requires_tests", text: "false" },
      { sign: "+", field: "requires_tests", text: "true" },
    ]);
    expect(listDetails(old, { ...old, requires_tests: false })).toEqual([]);
  });

  const change = {
    b: { assertions: ["z", "y"] },
    c: { brief: "Other words for the same file, more of them." },
    d: { title: "D" },
  };
  const acceptance = [{ kind: "check" as const, desc: "all of it", run: "npm test", cwd: "x" }];
  const diff = diffPlans(base, revise(change, { acceptance }), ["b", "c"]);

  it("is shown in a terminal by what follows from it", () => {
    expect(formatPlanDiff(diff).split("\n")).toEqual([
      "revision 1 -> 2",
      "? b  floor and review again: assertions",
      "    + assertion  z",
      "    + assertion  y",
      "~ c  pending again: brief (has landed; is built again on top)",
      "    brief",
      "      - Write src/c/index.ts so that it exports one function that answers requests for c.",
      "      + Other words for the same file, more of them.",
      "= d  goes on: title",
      "    − title  Build d",
      "    + title  D",
      "- acceptance  the whole suite passes",
      "- acceptance  a new todo appears in the list without a reload",
      "+ acceptance  all of it",
      "1 of 4 chunks unchanged",
      "",
    ]);
    const dropped = diffPlans(buildPlanOf(buildChunk("a"), buildChunk("b")), buildPlanOf(buildChunk("a")));
    expect(formatPlanDiff(dropped)).toBe("revision 1 -> 1\n- b  removed\n1 of 2 chunks unchanged\n");
  });

  it("is shown on GitHub by what follows from it", () => {
    const text = renderPlanDiff(diff);
    expect(text).toContain(
      "## Same work, floor and review again\n\n- `b` Build b: assertions\n  - assertion + `z`\n  - assertion + `y`\n\n",
    );
    expect(text).toContain(
      "## Changed, pending again\n\n- `c` Build c: brief. Has landed; is built again on top\n\n  ```diff\n",
    );
    expect(text).toContain("- added: all of it: `npm test` in `x`\n");
    expect(text).toContain("- removed: the whole suite passes: `npm test`\n");
    const everything = diffPlans(
      buildPlanOf(buildChunk("a"), buildChunk("b", { deps: ["a"] })),
      buildPlanOf(buildChunk("a", { brief: "x" }), buildChunk("b", { deps: ["a"] })),
      ["b"],
    );
    expect(renderPlanDiff(everything)).toContain("- `b` Build b (waits for `a`). Has landed; is built again on top\n");
    expect(renderPlanDiff(everything)).not.toContain("unchanged");
    const dropped = renderPlanDiff(
      diffPlans(buildPlanOf(buildChunk("a"), buildChunk("b")), buildPlanOf(buildChunk("a"))),
    );
    expect(dropped).toContain("## Removed\n\n- `b` Build b\n");
  });

  it("names of several redefined chunks only those a chunk waits for", () => {
    const two = diffPlans(base, revise({ b: { brief: "x" }, d: { brief: "y" } }));
    expect(two.chunks[2]).toMatchObject({ kind: "downstream", of: ["b"] });
    const both = diffPlans(
      buildPlanOf(buildChunk("a"), buildChunk("b"), buildChunk("c", { deps: ["a", "b"] })),
      buildPlanOf(
        buildChunk("a", { brief: "x" }),
        buildChunk("b", { brief: "y" }),
        buildChunk("c", { deps: ["b", "a"] }),
      ),
    );
    expect(both.chunks[2]).toMatchObject({ kind: "downstream", of: ["a", "b"] });
    expect(renderPlanDiff(both)).toContain("(waits for `a`, `b`)");
    expect(formatPlanDiff(both)).toContain("> c  pending again, since it waits for a, b\n");
  });

  it("ends an approval when anything but the baseline moved with it", () => {
    const frame = { feature: { ...base.feature, slug: "other" }, baseline: { ...base.baseline, toolchain: "x" } };
    expect(keepsApproval(diffPlans(base, revise({}, frame)))).toBe(false);
  });
});
