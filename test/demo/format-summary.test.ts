import { describe, expect, it } from "@jest/globals";
import type { DemoSummary } from "../../src/cli/demo/demo-options.ts";
import { formatSummary } from "../../src/cli/demo/format-summary.ts";

const summary: DemoSummary = {
  outcome: "merged",
  runKey: "1-budgets",
  issue: 1,
  featurePr: 3,
  planRevs: [1, 2],
  chunks: [
    {
      id: "budgets",
      title: "Budgets",
      attempts: [
        { n: 1, floor: "fail", review: null, reason: "1 violation: scope" },
        { n: 2, floor: null, review: null, reason: "no usable result" },
        { n: 3, floor: "pass", review: "fail", reason: "FAIL: 1 of 3" },
        { n: 4, floor: "pass", review: "pass", reason: "" },
      ],
      landed: "0123456789abcdef",
    },
    { id: "months", title: "Months", attempts: [], landed: null },
  ],
  commits: { fork: "aaaaaaaaaa", integration: "bbbbbbbbbb", merged: null },
  requests: { total: 40, contentCreating: 8, perChunk: 20 },
  seconds: 61.5,
};

describe("the table at the end of a demo", () => {
  it("has a line per chunk with its attempts, where it landed and what went wrong", () => {
    const text = formatSummary(summary, "off").join("\n");
    expect(text).toContain("★ merged  1-budgets");
    expect(text).toContain("budgets  f ∅ r ✓   0123456  1: 1 violation: scope; 2: no usable result; 3: FAIL: 1 of 3");
    expect(text).toMatch(/^months {13}-$/mu);
    expect(text).toContain("plan v1, v2, feature PR #3, fork aaaaaaa → integration bbbbbbb → merged -");
    expect(text).toContain("40 requests by the App (20 per chunk), 8 of them creating content; 61.5 s");
  });

  it("tells of a run that never came to a plan", () => {
    const text = formatSummary(
      { ...summary, outcome: "failed", runKey: null, featurePr: null, planRevs: [], chunks: [] },
      "off",
    ).join("\n");
    expect(text).toContain("✗ failed  no run");
    expect(text).toContain("plan none");
  });
});
