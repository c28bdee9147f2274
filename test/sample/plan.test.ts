import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { planVerdictSchema } from "../../src/contracts/verdict.ts";
import { scopesOverlap } from "../../src/plan/graph.ts";
import { parsePlanDraft } from "../../src/plan/parse-plan-draft.ts";
import { SCENARIOS } from "../../src/sandbox/sample/sample-issue.ts";
import { type Checkout, openCheckout } from "./sample-checkout.ts";

let tally: Checkout;
beforeAll(async () => {
  tally = await openCheckout();
});
afterAll(async () => await tally.remove());

const agents = ["builder", "planner", "critic"];

describe("the sample's planner", () => {
  it.each(SCENARIOS)("draws up a plan for the issue of %s that needs no second try", async (scenario) => {
    const draft = await tally.plan(scenario);
    expect(parsePlanDraft(JSON.stringify(draft), { context: { agents } }).problems).toEqual([]);
    expect(draft.chunks.length).toBeGreaterThanOrEqual(5);
    expect(new Set(Object.values(draft.assignments))).toEqual(new Set(["builder"]));
  });

  it("plans two chunks that start side by side, a diamond, and an overlap without an edge", async () => {
    const { chunks } = await tally.plan("default");
    const find = (id: string) => chunks.find((chunk) => chunk.id === id);
    const scope = (id: string) => find(id)?.files_touched ?? [];
    expect(chunks.filter((chunk) => chunk.deps === undefined).map((chunk) => chunk.id)).toEqual([
      "months",
      "categories",
      "search",
    ]);
    expect(scopesOverlap(scope("months"), scope("categories"))).toBe(false);
    expect(scopesOverlap(scope("search"), scope("categories"))).toBe(true);
    expect(find("budgets")?.deps).toEqual(["months", "categories"]);
    expect(find("monthly-report")?.deps).toEqual(["months", "categories"]);
    expect(find("commands")?.deps).toEqual(["search", "budgets", "monthly-report"]);
  });

  it("asks when the issue lists nothing to build", async () => {
    const answer = await tally.askAgent({
      v: 1,
      role: "plan",
      job: "7-x/plan/1",
      commit: (await tally.git("rev-parse", "HEAD")).trim(),
      prompt: "",
      promptVersion: "test@1",
      intent: "Make it better.",
      files: ["README.md", "src/cli.js", "src/ledger.js"],
      agents: [],
    });
    expect(JSON.parse(answer)).toMatchObject({ kind: "questions" });
  });

  it("adds a chunk for a wish that comes later, and keeps what has landed byte for byte", async () => {
    const first = await tally.plan("replan");
    const second = await tally.plan("replan", {
      plan: first,
      landed: ["months", "categories"],
      request: "The treasurer also wants the report as CSV: `tally report --csv`.",
    });
    expect(parsePlanDraft(JSON.stringify(second), { context: { agents } }).problems).toEqual([]);
    const ids = (draft: typeof first) => draft.chunks.map((chunk) => chunk.id).sort();
    expect(ids(second)).toEqual([...ids(first), "csv-export"].sort());
    for (const id of ["months", "categories", "search", "monthly-report"]) {
      const find = (draft: typeof first) => draft.chunks.find((chunk) => chunk.id === id);
      expect(find(second)).toEqual(find(first));
    }
    expect(second.chunks.find((chunk) => chunk.id === "commands")?.deps).toContain("csv-export");
  });

  it("continues landed commands in a chunk of their own", async () => {
    const first = await tally.plan("replan");
    const second = await tally.plan("replan", {
      plan: first,
      landed: first.chunks.map((chunk) => chunk.id),
      request: "And the report as CSV, please.",
    });
    expect(second.chunks.map((chunk) => chunk.id).slice(-2)).toEqual(["csv-export", "commands-2"]);
  });

  it("drops a part that a person wants to do without", async () => {
    const first = await tally.plan("escalate");
    const second = await tally.plan("escalate", { plan: first, landed: ["months"], request: "Drop the rounding." });
    expect(second.chunks.map((chunk) => chunk.id)).not.toContain("rounding");
    expect(parsePlanDraft(JSON.stringify(second), { context: { agents } }).problems).toEqual([]);
  });
});

describe("the sample's plan reviewers", () => {
  const ask = async (lens: string, change: (plan: Awaited<ReturnType<Checkout["plan"]>>) => unknown) => {
    const plan = await tally.plan("default");
    const answer = await tally.askAgent({
      v: 1,
      role: "plan-review",
      job: `7-x/plan-review:${lens}/1`,
      commit: (await tally.git("rev-parse", "HEAD")).trim(),
      prompt: "",
      promptVersion: "test@1",
      lens,
      intent: plan.task_brief.explicit_requirements.map((text) => `- ${text}`).join("\n"),
      plan: change(plan),
      files: (await tally.git("ls-files")).trim().split("\n"),
    });
    return planVerdictSchema.parse(JSON.parse(answer));
  };

  it.each(["feasibility", "completeness", "scope"])("find nothing to block with the eyes of %s", async (lens) => {
    expect(await ask(lens, (plan) => plan)).toMatchObject({ result: "pass", lens, findings: [] });
  });

  it("block a path without a parent, for feasibility", async () => {
    const verdict = await ask("feasibility", (plan) => ({
      ...plan,
      chunks: plan.chunks.map((chunk, index) =>
        index === 0 ? { ...chunk, files_touched: ["lib/deep/months.js"] } : chunk,
      ),
    }));
    expect(verdict.result).toBe("fail");
    expect(verdict.findings[0]?.evidence).toContain("lib/deep");
  });

  it("block a module that no earlier chunk writes, for feasibility", async () => {
    const verdict = await ask("feasibility", (plan) => ({
      ...plan,
      chunks: plan.chunks.filter((chunk) => chunk.id !== "months"),
    }));
    expect(verdict.findings.map((finding) => finding.evidence).join()).toContain("src/months.js");
  });

  it("block a point of the issue that nobody answers, and a check that cannot fail, for completeness", async () => {
    const unanswered = await ask("completeness", (plan) => ({
      ...plan,
      requirements: plan.requirements.slice(1),
      chunks: plan.chunks.filter((chunk) => chunk.id === "months"),
    }));
    expect(unanswered.findings.map((finding) => finding.title)).toContain("A point of the issue that no chunk answers");
    const idle = await ask("completeness", (plan) => ({
      ...plan,
      chunks: plan.chunks.map((chunk) => ({ ...chunk, checks: [{ desc: "fine", run: "true" }] })),
    }));
    expect(idle.findings.map((finding) => finding.title)).toContain("A check that cannot fail");
  });

  it("block work that nobody asked for, for scope", async () => {
    const verdict = await ask("scope", (plan) => ({
      ...plan,
      chunks: [...plan.chunks, { ...plan.chunks[0], id: "rewrite", deps: ["commands"], files_touched: [".npmrc"] }],
    }));
    expect(verdict.findings.map((finding) => finding.title)).toEqual([
      "Nobody asked for this",
      "Files a feature has no business with",
    ]);
  });
});
