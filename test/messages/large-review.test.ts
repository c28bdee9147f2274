/** Reviews at the edge of what GitHub takes. */
import { describe, expect, it } from "@jest/globals";
import { formatMarker, hasMarker } from "../../src/contracts/names.ts";
import type { FindingResult } from "../../src/contracts/review-result.ts";
import { renderReviewCheck } from "../../src/messages/checks/review-check.ts";
import { renderReview } from "../../src/messages/review-body.ts";
import { chunkId } from "../engine-stories/names.ts";
import { buildEvidence, failReview, passFloor } from "../engine-stories/results.ts";
import { MONTHS, tellProposal } from "../engine-stories/stories.ts";
import { renderHtml } from "./render-html.ts";

const id = chunkId("months");

function tell(findings: readonly FindingResult[], summary = "No.") {
  const story = tellProposal().approve().start(id).receive(id).commit(id).floor(id, passFloor());
  return story.review(id, { ...failReview(MONTHS, findings), summary }).state;
}

const many = Array.from({ length: 400 }, (_, index): FindingResult => ({
  severity: "blocking",
  title: `Finding ${index}`,
  expected: "<details> | ``` \n".repeat(20),
  found: "x".repeat(1000),
  where: buildEvidence("src/months.js", index + 1),
}));
const everyLine = new Map([["src/months.js", new Set(many.map((_, index) => index + 1))]]);

describe("a verdict with 400 findings", () => {
  const state = tell(many);
  const { body, comments } = renderReview(state, id, 1, everyLine);

  it("fits with its marker, keeps its verdict, and says that something is missing", () => {
    const marker = { run: state.run.run, key: `review:${id}:1` };
    const whole = `${body}\n\n${formatMarker(marker)}`;
    expect(whole.length).toBeLessThan(65_000);
    expect(hasMarker(whole, marker)).toBe(true);
    expect(body).toMatch(/^## ❌ FAIL: 1 of 2 criteria not met, 400 blocking findings\n/u);
    expect(body).toContain("The rest was left out");
    expect(renderHtml(body)).not.toContain("<details>");
  });

  it("marks some places, not all of them", () => {
    expect(comments.length).toBeGreaterThan(0);
    expect(comments.length).toBeLessThanOrEqual(30);
    for (const comment of comments) expect(comment.body.length).toBeLessThanOrEqual(8_000);
  });

  it("fits into its check", () => {
    const check = renderReviewCheck(state, id, 1);
    expect(Buffer.byteLength(check.summary)).toBeLessThanOrEqual(65_535);
    expect(check.conclusion).toBe("failure");
  });
});

describe("a verdict whose words are too long", () => {
  it("is cut where it stands, in characters of any width", () => {
    const one = {
      severity: "blocking",
      title: "𝔘".repeat(300),
      expected: "é".repeat(4000),
      found: "漢".repeat(4000),
    } as const;
    const state = tell(
      Array.from({ length: 60 }, (_, n) => ({ ...one, where: buildEvidence("src/months.js", n + 1) })),
    );
    const { body } = renderReview(state, id, 1, new Map());
    expect(body.length).toBeLessThanOrEqual(60_000);
    expect(body.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(renderReviewCheck(state, id, 1).summary)).toBeLessThanOrEqual(65_535);
  });
});

describe("a verdict about files without a patch", () => {
  it("has everything in its body and nothing in the diff", () => {
    const { body, comments } = renderReview(
      tell(many.slice(0, 3)),
      id,
      1,
      new Map([["src/months.js", new Set<number>()]]),
    );
    expect(comments).toEqual([]);
    for (const title of ["Finding 0", "Finding 1", "Finding 2"]) expect(body).toContain(title);
  });
});
