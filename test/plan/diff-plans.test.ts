import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { Chunk, Plan } from "../../src/contracts/plan.ts";
import { diffPlans } from "../../src/plan/diff/diff-plans.ts";
import { keepsApproval, listPending } from "../../src/plan/diff/plan-diff.ts";
import { formatPlanHash } from "../../src/plan/plan-hash.ts";
import { buildChunk, buildPlanOf } from "./build-valid-plan.ts";
import { base, revise } from "./revise-plan.ts";

function kinds(next: Plan, landed: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(diffPlans(base, next, landed).chunks.map(({ id, kind }) => [id, kind]));
}

describe("a revision", () => {
  it("without changes leaves everything as it is", () => {
    const diff = diffPlans(base, revise({}));
    expect(diff).toMatchObject({ from: 1, to: 2, intent: null, acceptance: { added: [], removed: [] }, frame: [] });
    expect(diff.chunks.every(({ kind }) => kind === "unchanged")).toBe(true);
    expect(listPending(diff)).toEqual([]);
  });

  it.each<[string, Partial<Chunk>, string[]]>([
    ["another brief", { brief: "Do something else entirely, in the same file as before." }, ["brief"]],
    ["more files", { files_touched: ["src/a/index.ts", "test/a.test.ts", "src/a/x.ts"] }, ["files_touched"]],
    ["other files", { files_touched: ["src/a/index.ts", "test/b.test.ts"] }, ["files_touched"]],
    ["a new dep", { deps: ["d"] }, ["deps"]],
    ["another command", { checks: [{ desc: "the tests of a pass", run: "npm test" }] }, ["checks"]],
    ["a command more", { checks: [...base.chunks[0]!.checks, { desc: "x", run: "y" }] }, ["checks"]],
    ["another folder", { checks: [{ ...base.chunks[0]!.checks[0]!, cwd: "src" }] }, ["checks"]],
    ["another exit status", { checks: [{ ...base.chunks[0]!.checks[0]!, expect_exit: 1 }] }, ["checks"]],
    ["tests required", { requires_tests: true }, ["requires_tests"]],
    [
      "several of these",
      { brief: "x", title: "y", assertions: [], tier: "high" },
      ["brief", "assertions", "title", "tier"],
    ],
  ])("with %s makes the chunk pending again, and what waits for it", (_name, change, fields) => {
    const diff = diffPlans(base, revise({ a: change }), ["a", "b"]);
    expect(diff.chunks).toMatchObject([
      { kind: "redefined", id: "a", fields, landed: true },
      { kind: "downstream", id: "b", of: ["a"], landed: true },
      { kind: "downstream", id: "c", of: ["a"], landed: false },
      { kind: "unchanged", id: "d" },
    ]);
    expect(listPending(diff)).toEqual(["a", "b", "c"]);
  });

  it.each<[string, Partial<Chunk>, string[]]>([
    ["other assertions", { assertions: ["one"] }, ["assertions"]],
    ["assertions in another order", { assertions: ["two", "one"] }, ["assertions"]],
    [
      "another description of a check",
      { checks: [{ ...base.chunks[0]!.checks[0]!, desc: "all green" }] },
      ["check descriptions"],
    ],
    ["a title too", { assertions: [], title: "x", tier: "code" }, ["assertions", "title", "tier"]],
  ])("with %s asks for a fresh floor and review of that chunk only", (_name, change, fields) => {
    const diff = diffPlans(base, revise({ a: change }));
    expect(diff.chunks[0]).toMatchObject({ kind: "criteria", fields });
    expect(kinds(revise({ a: change }))).toEqual({ a: "criteria", b: "unchanged", c: "unchanged", d: "unchanged" });
    expect(listPending(diff)).toEqual([]);
  });

  it("with checks in another order judges anew, since verdicts name criteria by position", () => {
    const checks = [
      { desc: "x", run: "x" },
      { desc: "y", run: "y" },
    ];
    const diff = diffPlans(
      buildPlanOf(buildChunk("a", { checks })),
      buildPlanOf(buildChunk("a", { checks: checks.toReversed() })),
    );
    expect(diff.chunks).toMatchObject([{ kind: "criteria", fields: ["check descriptions"] }]);
  });

  it.each<[string, Partial<Chunk>, string[]]>([
    ["title", { title: "x" }, ["title"]],
    ["tier", { tier: "high" }, ["tier"]],
    ["both", { tier: "high", title: "x" }, ["title", "tier"]],
  ])("with another %s goes on", (_name, change, fields) => {
    expect(diffPlans(base, revise({ b: change })).chunks[1]).toMatchObject({ kind: "cosmetic", fields });
  });

  it("that only spells out defaults or reorders files changes nothing", () => {
    const spelt = revise({
      a: {
        deps: [],
        requires_tests: false,
        files_touched: base.chunks[0]!.files_touched.toReversed(),
        checks: [{ ...base.chunks[0]!.checks[0]!, expect_exit: 0 }],
      },
      b: { assertions: [] },
    });
    expect(kinds(spelt)).toEqual({ a: "unchanged", b: "unchanged", c: "unchanged", d: "unchanged" });
  });

  it("adds and drops chunks", () => {
    const next = revise({ d: null, c: { deps: [] } });
    const added = { ...next, chunks: [...next.chunks, buildChunk("e")] };
    expect(kinds(added, ["d"])).toEqual({ a: "unchanged", b: "unchanged", c: "redefined", e: "added", d: "removed" });
    expect(diffPlans(base, added, ["d"]).chunks.at(-1)).toMatchObject({ kind: "removed", landed: true });
    expect(listPending(diffPlans(base, added))).toEqual(["c", "e"]);
  });

  it("calls a chunk redefined that is also below a redefined one, and names all above the others", () => {
    const diff = diffPlans(base, revise({ a: { brief: "x" }, b: { brief: "y" } }));
    expect(diff.chunks).toMatchObject([
      { kind: "redefined" },
      { kind: "redefined" },
      { kind: "downstream", of: ["a", "b"] },
      { kind: "unchanged" },
    ]);
  });

  it("tells what else differs", () => {
    const check = { kind: "check", desc: "x", run: "y" } as const;
    const diff = diffPlans(
      base,
      revise(
        {},
        {
          intent_rev: 2,
          acceptance: [base.acceptance[1]!, check],
          feature: { ...base.feature, slug: "other" },
          baseline: { ...base.baseline, toolchain: "node v26", ref: "x" },
        },
      ),
    );
    expect(diff).toMatchObject({
      intent: { from: 1, to: 2 },
      acceptance: { added: [check], removed: [base.acceptance[0]] },
      frame: ["feature.slug", "baseline.ref", "baseline.toolchain"],
    });
  });

  it("does not call an acceptance check changed that spells out its exit status", () => {
    const spelt = { ...base.acceptance[0]!, expect_exit: 0 } as Plan["acceptance"][number];
    expect(diffPlans(base, revise({}, { acceptance: [spelt, base.acceptance[1]!] })).acceptance).toEqual({
      added: [],
      removed: [],
    });
  });

  it("never leaves a chunk alone that waits for one that is built again", () => {
    const change = fc.constantFrom<Partial<Chunk> | null>(
      {},
      { brief: "other" },
      { title: "t" },
      { assertions: ["z"] },
      { deps: [] },
    );
    fc.assert(
      fc.property(fc.record({ a: change, b: change, c: change, d: change }), (changes) => {
        const dropped = Object.keys(changes).filter((id) => changes[id as "a"] === null);
        const next = revise(changes);
        const chunks = next.chunks.map((chunk) => ({
          ...chunk,
          deps: (chunk.deps ?? []).filter((dep) => !dropped.includes(dep)),
        }));
        const pending = new Set(listPending(diffPlans(base, { ...next, chunks })));
        for (const chunk of chunks)
          if (chunk.deps.some((dep) => pending.has(dep))) expect(pending.has(chunk.id)).toBe(true);
      }),
    );
  });
});

describe("an approval", () => {
  it("holds for a revision that differs in its baseline and numbers only", () => {
    const next = revise({}, { baseline: { ...base.baseline, toolchain: "node v26" } });
    expect(keepsApproval(diffPlans(base, next))).toBe(true);
    expect(formatPlanHash(next, "intent")).toBe(formatPlanHash(base, "intent"));
  });

  it.each<[string, Plan]>([
    ["title", revise({ a: { title: "x" } })],
    ["intent", revise({}, { intent_rev: 2 })],
    ["acceptance", revise({}, { acceptance: [base.acceptance[0]!] })],
    [
      "acceptance that grows",
      revise({}, { acceptance: [...base.acceptance, { kind: "assertion", desc: "more of it" }] }),
    ],
    ["branches", revise({}, { feature: { ...base.feature, source_branch: "next" } })],
    ["dropped chunk", revise({ d: null })],
  ])("does not hold for another %s", (_name, next) => {
    expect(keepsApproval(diffPlans(base, next))).toBe(false);
  });

  it("binds chunks, acceptance and the intent's text, in whatever order their keys are written", () => {
    const hash = formatPlanHash(base, "intent");
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(formatPlanHash(base, "another intent")).not.toBe(hash);
    expect(formatPlanHash(revise({ a: { title: "x" } }), "intent")).not.toBe(hash);
    expect(formatPlanHash({ ...base, acceptance: [base.acceptance[0]!] }, "intent")).not.toBe(hash);
    const turned = base.chunks.map(
      (chunk) => Object.fromEntries(Object.entries(chunk).toReversed()) as unknown as Chunk,
    );
    expect(formatPlanHash({ ...base, chunks: turned }, "intent")).toBe(hash);
  });
});
