import { createHash } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { checkBaseline, formatBaseline, hashSet } from "../../src/floor/baseline.ts";
import { captures, command, FORK, lint, testCase, tests } from "./support/build-captures.ts";

const fork = captures({ commit: FORK, lint: lint([{ code: "a", package: "", path: "x.js", message: "m", line: 1 }]) });

describe("the plan's baseline", () => {
  it("names commit, toolchain and three sets", () => {
    expect(formatBaseline(fork, "taskfleet/7-x/integration")).toEqual({
      ref: "taskfleet/7-x/integration@fork",
      commit_oid: FORK,
      toolchain: "node v24.22.3",
      test_passlist_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u),
      clippy_warnings_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u),
      enumerated_targets_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u),
    });
  });

  it("hashes an empty set, too", () => {
    expect(hashSet([])).toBe(`sha256:${createHash("sha256").digest("hex")}`);
    expect(formatBaseline(captures({ tests: null }), "x").test_passlist_hash).toBe(hashSet([]));
  });

  it("counts passing tests only, and lint without line numbers", () => {
    const of = (cases: Parameters<typeof tests>[0]): string =>
      formatBaseline(captures({ tests: tests(cases) }), "x").test_passlist_hash;
    expect(of([testCase("a"), testCase("b", { status: "failed" }), testCase("c", { status: "skipped" })])).toBe(
      of([testCase("a")]),
    );
    const moved = captures({ lint: lint([{ code: "a", package: "", path: "x.js", message: "m", line: 9 }]) });
    expect(formatBaseline(moved, "x").clippy_warnings_hash).toBe(formatBaseline(fork, "x").clippy_warnings_hash);
  });

  it("hashes sets: order and repetition mean nothing, a changed item everything", () => {
    const item = fc.array(fc.string(), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), (items) => {
        expect(hashSet([...items].reverse())).toBe(hashSet(items));
        expect(hashSet([...items, ...items])).toBe(hashSet(items));
      }),
    );
    fc.assert(
      fc.property(item, item, (a, b) => {
        expect(hashSet([a]) === hashSet([b])).toBe(JSON.stringify(a) === JSON.stringify(b));
        expect(hashSet([a, b]) === hashSet([[...a, ...b]])).toBe(false);
      }),
    );
  });
});

describe("binding captures to a baseline", () => {
  const baseline = formatBaseline(fork, "taskfleet/7-x/integration");

  it("holds for the captures it was made of, also on another patch of the toolchain", () => {
    expect(checkBaseline(baseline, fork)).toEqual([]);
    expect(checkBaseline(baseline, { ...fork, toolchain: "node v24.22.9" })).toEqual([]);
  });

  it.each<[string, Partial<typeof baseline>, Partial<typeof fork>, string]>([
    ["another commit", {}, { commit: "b".repeat(40) }, "baseline-other-commit"],
    ["another toolchain", {}, { toolchain: "node v25.0.0" }, "baseline-toolchain"],
    ["an unknown toolchain", { toolchain: "unknown" }, { toolchain: "unknown" }, "baseline-toolchain"],
    ["a blank ref", { ref: "  " }, {}, "baseline-blank"],
    ["a ref that is no fork", { ref: "main" }, {}, "baseline-ref"],
    ["an abbreviated commit", { commit_oid: "ffff" }, {}, "baseline-oid"],
    ["other tests", {}, { tests: tests([testCase("other")]) }, "baseline-hash"],
    ["other warnings", {}, { lint: null }, "baseline-hash"],
    ["a hash of another form", { test_passlist_hash: "sha1:00" }, {}, "baseline-hash"],
    [
      "tests that are no evidence",
      {},
      { tests: tests([testCase("adds"), testCase("subtracts")], { exit: 1 }) },
      "capture-tests",
    ],
    ["a setup that failed", {}, { setup: command("npm ci", { exit: 1 }) }, "capture-setup"],
  ])("fails closed on %s", (_, change, capture, rule) => {
    expect(checkBaseline({ ...baseline, ...change }, { ...fork, ...capture }).map((problem) => problem.rule)).toContain(
      rule,
    );
  });
});
