import { describe, expect, it } from "@jest/globals";
import { diffPlans } from "../../src/plan/diff/diff-plans.ts";
import { verifyRevision } from "../../src/plan/diff/verify-revision.ts";
import { formatPlanDiff } from "../../src/plan/render/format-plan-diff.ts";
import { renderPlanDiff } from "../../src/plan/render/render-plan-diff.ts";
import { buildChunk, buildPlanOf, buildValidPlan } from "./build-valid-plan.ts";
import { base, revise } from "./revise-plan.ts";

describe("a revision that may not follow", () => {
  it("uses a number again for another content", () => {
    expect(verifyRevision(base, { ...base, intent_rev: 2 })).toMatchSnapshot();
    expect(verifyRevision(base, structuredClone(base))).toEqual([]);
  });

  it("goes back", () => {
    expect(verifyRevision({ ...base, plan_rev: 3, intent_rev: 4 }, { ...base, plan_rev: 2 })).toMatchSnapshot();
    expect(verifyRevision(base, { ...base, plan_rev: 5, intent_rev: 2 })).toEqual([]);
  });

  it("moves to other branches", () => {
    expect(
      verifyRevision(base, revise({}, { feature: { slug: "x", source_branch: "next", integration_branch: "y" } })),
    ).toMatchSnapshot();
  });

  it("drops landed work that nothing undoes", () => {
    expect(verifyRevision(base, revise({ d: null }), ["d"])).toMatchSnapshot();
    expect(verifyRevision(base, revise({ d: null }), ["a"])).toEqual([]);
    const undo = buildChunk("undo", { files_touched: ["SRC/d/index.ts", "test/d.test.ts"] });
    const next = revise({ d: null });
    expect(verifyRevision(base, { ...next, chunks: [...next.chunks, undo] }, ["d"])).toEqual([]);
    expect(
      verifyRevision(base, { ...next, chunks: [...next.chunks, undo] }, ["d", "undo"]).map(({ rule }) => rule),
    ).toEqual(["landed-dropped"]);
    const half = { ...undo, files_touched: ["src/d/index.ts"] };
    expect(verifyRevision(base, { ...next, chunks: [...next.chunks, half] }, ["d"])[0]!.message).toContain(
      'touches "test/d.test.ts" to undo it',
    );
  });
});

describe("a plan diff for people", () => {
  const next = {
    ...revise(
      {
        a: {
          brief: `${base.chunks[0]!.brief}\nAnd a second function.`,
          files_touched: ["src/a/index.ts", "src/a/`tick`.ts"],
          requires_tests: true,
        },
        c: { assertions: ["a | b @octocat"] },
        d: null,
      },
      {
        intent_rev: 2,
        acceptance: [base.acceptance[0]!, { kind: "assertion", desc: "new <b>" }],
        baseline: { ...base.baseline, toolchain: "x" },
      },
    ),
  };
  const full = diffPlans(
    buildPlanOf(
      ...base.chunks,
      buildChunk("e"),
      buildChunk("f"),
      buildChunk("g", { checks: [{ desc: "x", run: "y", cwd: "z", expect_exit: 2 }] }),
    ),
    {
      ...next,
      chunks: [
        ...next.chunks,
        buildChunk("new", { title: "New | #1" }),
        buildChunk("e", { title: "Other title", tier: "high" }),
        buildChunk("f"),
        buildChunk("g", { assertions: ["z"] }),
      ],
    },
    ["a", "d"],
  );

  it("is Markdown on GitHub", () => {
    expect(renderPlanDiff(full)).toMatchSnapshot();
  });

  it("is plain lines in a terminal", () => {
    expect(formatPlanDiff(full)).toMatchSnapshot();
  });

  it("says so when nothing differs", () => {
    expect(renderPlanDiff(diffPlans(base, revise({})))).toBe(
      "# Plan diff: revision 1 → 2\n\n4 chunks go on unchanged.\n",
    );
    expect(renderPlanDiff(diffPlans(buildPlanOf(base.chunks[0]!), buildPlanOf(base.chunks[0]!)))).toContain(
      "1 chunk goes on unchanged.",
    );
    expect(formatPlanDiff(diffPlans(base, revise({})))).toBe("revision 1 -> 2\n4 of 4 chunks unchanged\n");
  });

  it("marks removed and added lines of a brief only", () => {
    const before = buildValidPlan({ chunks: [buildChunk("a", { brief: "same\nold\nend" })] });
    const after = buildValidPlan({ chunks: [buildChunk("a", { brief: "same\nnew 1\nnew 2\nend" })] });
    expect(renderPlanDiff(diffPlans(before, after))).toContain("  ```diff\n  - old\n  + new 1\n  + new 2\n  ```");
    const repeated = buildValidPlan({ chunks: [buildChunk("a", { brief: "x\nx\nx" })] });
    const shorter = buildValidPlan({ chunks: [buildChunk("a", { brief: "x\nx" })] });
    expect(formatPlanDiff(diffPlans(repeated, shorter))).toContain("    brief\n      - x\n0 of");
  });
});
