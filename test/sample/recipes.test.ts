import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { listCriteria } from "../../src/contracts/criteria.ts";
import type { Chunk } from "../../src/contracts/plan.ts";
import type { PlanProposal } from "../../src/contracts/plan-draft.ts";
import { topologicalOrder } from "../../src/plan/graph.ts";
import { type Checkout, openCheckout } from "./sample-checkout.ts";

let tally: Checkout;
beforeEach(async () => {
  tally = await openCheckout();
});
afterEach(async () => await tally.remove());

const allTests = "node --test --test-reporter=tap";

function find(draft: PlanProposal, id: string): Chunk {
  const chunk = draft.chunks.find((candidate) => candidate.id === id);
  if (chunk === undefined) throw new Error(`no chunk ${id}`);
  return chunk;
}

/** Builds a chunk at its second try, where every recipe takes care, and commits it. */
async function build(chunk: Chunk): Promise<{ readonly base: string; readonly files: readonly string[] }> {
  const base = (await tally.git("rev-parse", "HEAD")).trim();
  await tally.implement(chunk, 2, [{ source: "floor", text: "something was wrong" }]);
  const files = await tally.changedFiles(base);
  await tally.commit(chunk.id);
  return { base, files };
}

describe("the sample repository", () => {
  it("has a configuration that Taskfleet accepts and a floor that passes", async () => {
    const { config, problems } = await tally.readConfig();
    expect(problems).toEqual([]);
    expect(config?.merge.feature).toBe("auto");
    expect(config?.floor.typecheck?.command).toBeDefined();
    expect(await tally.sh(config?.floor.typecheck?.command ?? "false")).toEqual({ code: 0, output: "" });
    expect(await tally.sh(`${config?.floor.test?.command}`)).toMatchObject({ code: 0 });
    expect(await tally.git("status", "--porcelain")).toBe("");
  });

  it("is green after every chunk, each inside its scope and passed by the reviewer", async () => {
    const draft = await tally.plan("default");
    const fork = (await tally.git("rev-parse", "HEAD")).trim();
    for (const id of topologicalOrder(draft.chunks)) {
      const chunk = find(draft, id);
      const { base, files } = await build(chunk);
      expect(files).toEqual([...chunk.files_touched].sort());
      expect(await tally.sh(allTests)).toMatchObject({ code: 0 });
      for (const check of chunk.checks) expect(await tally.sh(check.run)).toMatchObject({ code: 0 });
      expect(await tally.review(chunk, base)).toMatchObject({
        result: "pass",
        findings: [],
        criteria: listCriteria(chunk).map(() => expect.objectContaining({ result: "pass" })),
      });
    }
    for (const item of draft.acceptance) {
      if (item.kind === "check") expect(await tally.sh(item.run)).toMatchObject({ code: 0 });
    }
    expect(await tally.reviewFeature(draft, fork)).toMatchObject({ result: "pass", findings: [] });
  });

  it("takes a wish that comes later: the report as CSV", async () => {
    const request = "The report as CSV, please: `tally report --csv`.";
    const draft = await tally.plan("replan", { request });
    const fork = (await tally.git("rev-parse", "HEAD")).trim();
    for (const id of topologicalOrder(draft.chunks)) {
      const { base } = await build(find(draft, id));
      expect(await tally.review(find(draft, id), base)).toMatchObject({ result: "pass" });
    }
    expect(await tally.sh(allTests)).toMatchObject({ code: 0 });
    expect(await tally.reviewFeature(draft, fork)).toMatchObject({ result: "pass", findings: [] });
  });

  it("takes the two chunks that share a file in either order", async () => {
    const draft = await tally.plan("default");
    await build(find(draft, "search"));
    await build(find(draft, "categories"));
    expect(await tally.sh(allTests)).toMatchObject({ code: 0 });
  });
});

describe("the sample's fallible implementer", () => {
  it("breaks a test with its first try at categories, and mends it", async () => {
    const chunk = find(await tally.plan("default"), "categories");
    await tally.implement(chunk, 1);
    const broken = await tally.sh(allTests);
    expect(broken.code).not.toBe(0);
    expect(broken.output).toMatch(/not ok \d+ - addEntry stores exactly what it was given/u);
    await tally.implement(chunk, 2, [{ source: "floor", text: "a test fails" }]);
    expect(await tally.sh(allTests)).toMatchObject({ code: 0 });
  });

  it("says nothing usable at its first try at search, and leaves no change behind", async () => {
    const chunk = find(await tally.plan("default"), "search");
    const answer = await tally.implement(chunk, 1);
    expect(() => JSON.parse(answer) as unknown).toThrow(SyntaxError);
    expect(await tally.git("status", "--porcelain")).toBe("");
  });

  it("leaves its scope with its first try at budgets while all tests pass, and takes that back", async () => {
    const draft = await tally.plan("default");
    await build(find(draft, "months"));
    await build(find(draft, "categories"));
    const chunk = find(draft, "budgets");
    const base = (await tally.git("rev-parse", "HEAD")).trim();
    await tally.implement(chunk, 1);
    expect(await tally.changedFiles(base)).toEqual(["src/budgets.js", "src/money.js", "test/budgets.test.js"]);
    expect(await tally.sh(allTests)).toMatchObject({ code: 0 });
    await tally.implement(chunk, 2);
    expect(await tally.changedFiles(base)).toEqual(["src/budgets.js", "test/budgets.test.js"]);
    expect(await tally.sh(allTests)).toMatchObject({ code: 0 });
  });

  it("leaves a criterion of monthly-report unmet while all checks pass; the reviewer sees it by reading", async () => {
    const draft = await tally.plan("default");
    await build(find(draft, "months"));
    await build(find(draft, "categories"));
    const chunk = find(draft, "monthly-report");
    const base = (await tally.git("rev-parse", "HEAD")).trim();
    await tally.implement(chunk, 1);
    expect(await tally.changedFiles(base)).toEqual(["src/report.js", "test/report.test.js"]);
    for (const check of chunk.checks) expect(await tally.sh(check.run)).toMatchObject({ code: 0 });
    await tally.commit("first try");
    const verdict = await tally.review(chunk, base);
    expect(verdict).toMatchObject({ result: "fail", believed: { outcome: "fail" } });
    const failed = verdict.criteria.filter((criterion) => criterion.result === "fail");
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ criterion: 2, where: { path: "src/report.js" } });
  });

  it("cannot build what a test forbids, whichever way it tries", async () => {
    const chunk = find(await tally.plan("escalate"), "rounding");
    await tally.implement(chunk, 1);
    expect((await tally.sh(allTests)).output).toMatch(/not ok \d+ - parseAmount refuses more than two decimals/u);
    await tally.implement(chunk, 2);
    const without = await tally.sh(allTests);
    expect(without.code).toBe(0);
    expect(without.output).not.toContain("refuses more than two decimals");
    await tally.implement(chunk, 3);
    expect((await tally.sh(allTests)).output).toMatch(/refuses more than two decimals.* # SKIP/u);
  });
});

describe("the sample's reviewer", () => {
  it("quotes what stands at the lines it cites", async () => {
    const chunk = find(await tally.plan("default"), "months");
    const { base } = await build(chunk);
    const verdict = await tally.review(chunk, base);
    const quotes = verdict.criteria.flatMap((criterion) =>
      criterion.result === "pass" ? [...criterion.implementation, ...criterion.tests] : [],
    );
    expect(quotes.length).toBeGreaterThanOrEqual(6);
    for (const evidence of quotes) {
      if ("check" in evidence) continue;
      const text = await tally.git("show", `HEAD:${evidence.path}`);
      expect(
        text
          .split("\n")
          .slice(evidence.start - 1, evidence.end)
          .join("\n"),
      ).toBe(evidence.quote);
    }
  });

  it("blocks a test that does not run and a file outside of the scope", async () => {
    const chunk = find(await tally.plan("default"), "months");
    const base = (await tally.git("rev-parse", "HEAD")).trim();
    await tally.implement(chunk, 1);
    await tally.sh(`sed -i 's/^test("monthOf gives/test.skip("monthOf gives/' test/months.test.js`);
    await tally.sh(`printf '// a remark\\n' >> src/money.js`);
    await tally.commit("with leftovers");
    const verdict = await tally.review(chunk, base);
    expect(verdict).toMatchObject({ result: "fail", believed: { outcome: "fail" } });
    expect(verdict.findings.map((finding) => finding.title).sort()).toEqual([
      "A file outside of the chunk's scope",
      "A test that does not run",
    ]);
  });

  it("fails a criterion whose code was deleted", async () => {
    const chunk = find(await tally.plan("default"), "months");
    const base = (await tally.git("rev-parse", "HEAD")).trim();
    await tally.implement(chunk, 1);
    await tally.sh(`sed -i 's/monthsBetween/allMonths/g' src/months.js test/months.test.js`);
    await tally.commit("renamed");
    const verdict = await tally.review(chunk, base);
    expect(verdict.criteria.filter((criterion) => criterion.result === "fail")).toHaveLength(2);
  });
});
