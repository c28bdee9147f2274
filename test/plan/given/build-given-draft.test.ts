import { describe, expect, it } from "@jest/globals";
import { checklist } from "../../../src/plan/checklist/checklist.ts";
import { buildGivenDraft } from "../../../src/plan/given/build-given-draft.ts";

const build = (value: Record<string, unknown>, title = "Greet people"): Record<string, unknown> =>
  JSON.parse(buildGivenDraft(value, title)) as Record<string, unknown>;

const test = { desc: "tests pass", run: "npm test" };
const lint = { desc: "lint passes", run: "npm run lint" };

describe("the draft of a plan that a person wrote", () => {
  it("has everything that follows from one chunk", () => {
    const chunk = {
      id: "a",
      brief: "  Add greet(name).\nIn src/greet.js.",
      files_touched: ["src/greet.js"],
      checks: [test],
    };
    expect(build({ chunks: [chunk] })).toEqual({
      kind: "plan",
      triage: "simple",
      title: "Greet people",
      goal: "Greet people",
      chunks: [{ title: "Add greet(name).", tier: "mid", ...chunk }],
      acceptance: [{ kind: "check", ...test }],
      requirements: [{ text: "Add greet(name).", chunks: ["a"] }],
      checklist: checklist.map(({ id }) => ({ item: id, why_not: "Not said by the person who wrote this plan." })),
      assignments: {},
    });
  });

  it("demands of the whole what its chunks demand, each once", () => {
    const chunks = [
      { id: "a", checks: [test, lint] },
      { id: "b", checks: [test] },
      { id: "c", checks: "none" },
      { id: "d", checks: [7] },
    ];
    const draft = build({ chunks });
    expect(draft["triage"]).toBe("complex");
    expect(draft["acceptance"]).toEqual([
      { kind: "check", ...test },
      { kind: "check", ...lint },
    ]);
  });

  it("keeps what the person said of it", () => {
    const said = {
      triage: "complex",
      title: "T",
      goal: "G",
      acceptance: [],
      requirements: [],
      checklist: [],
      decisions: ["d"],
    };
    expect(build({ ...said, kind: "answer", chunks: [{ id: "a", title: "Own", tier: "high", brief: "b" }] })).toEqual({
      ...said,
      kind: "plan",
      assignments: {},
      chunks: [{ id: "a", title: "Own", tier: "high", brief: "b" }],
    });
  });

  it("calls a chunk by the first line of its brief, cut short, else by the issue's title", () => {
    const titles = (...briefs: unknown[]) =>
      (build({ chunks: briefs.map((brief) => ({ brief })) })["chunks"] as { title: string }[]).map(
        ({ title }) => title,
      );
    expect(titles("one\ntwo", "x".repeat(121), " \n", undefined, 5)).toEqual([
      "one",
      "x".repeat(120),
      "Greet people",
      "Greet people",
      "Greet people",
    ]);
  });

  it("has a title and a goal where the issue has no title, and no title that is too long", () => {
    expect(build({ chunks: [] }, "")).toMatchObject({ title: "A plan", goal: "What the plan says" });
    expect(build({ chunks: [] }, "x".repeat(301))).toMatchObject({ title: "x".repeat(300), goal: "x".repeat(301) });
  });

  it("assigns a chunk to the agent beside it, unless the plan assigns it to another", () => {
    const chunks = [
      { id: "a", agent: "web" },
      { id: "b", agent: "api" },
      { id: 7, agent: "api" },
      { agent: "api" },
      { id: "c" },
    ];
    const draft = build({ chunks, assignments: { b: "docs", d: "web" } });
    expect(draft["assignments"]).toEqual({ a: "web", b: "docs", d: "web" });
    expect(JSON.stringify(draft["chunks"])).not.toContain("agent");
    expect(build({ chunks, assignments: "all" })["assignments"]).toEqual({ a: "web", b: "api" });
  });

  it("leaves what is no list of chunks, and no chunk, for the gates to refuse", () => {
    expect(build({ chunks: "all of it" })).toMatchObject({ chunks: [], triage: "complex", acceptance: [] });
    expect(build({ chunks: ["x", null] })).toMatchObject({ chunks: ["x", null], requirements: [], acceptance: [] });
    expect(
      build({
        chunks: [
          { id: 5, title: "T" },
          { id: "a", title: 5 },
        ],
      }),
    ).toMatchObject({ requirements: [] });
  });
});
