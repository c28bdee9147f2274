import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { buildInlineComments } from "../../src/messages/inline-comments.ts";
import { renderReview } from "../../src/messages/review-body.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildEvidence, failReview } from "../engine-stories/results.ts";
import { MONTHS, tellMidRun, tellReviewFailure } from "../engine-stories/stories.ts";

const months = chunkId("months");

describe("a review", () => {
  it("says PASS or FAIL first, since it can only be a comment", () => {
    expect(renderReview(tellMidRun().state, months, 2, new Map()).body).toMatch(
      /^## ✅ PASS: all 2 criteria are met\n/u,
    );
    expect(renderReview(tellReviewFailure().state, months, 1, new Map()).body).toMatch(
      /^## ❌ FAIL: 1 of 2 criteria not met, 1 blocking finding\n/u,
    );
  });

  it("links evidence to exactly the cited lines of the judged commit", () => {
    const { body } = renderReview(tellReviewFailure().state, months, 1, new Map());
    expect(body).toContain(`https://github.com/octo/tally/blob/${fakeSha("months-1")}/src/months.js#L20-L22`);
    expect(body).toContain("Expected: an empty input is refused with an error");
  });

  it("marks failures in the diff and leaves warnings to the body", () => {
    const diff = new Map([["src/months.js", new Set([6, 7, 8, 9, 20, 21, 22, 30])]]);
    const { body, comments } = renderReview(tellReviewFailure().state, months, 1, diff);
    expect(comments.map(({ path, startLine, line }) => [path, startLine, line])).toEqual([
      ["src/months.js", 7, 8],
      ["src/months.js", 20, 22],
    ]);
    expect(comments[0]?.body).toContain("**Criterion 2 is not met:** months refuses an empty input");
    expect(body).toContain("2 places marked in the diff.");
    expect(body).toContain("The error says nothing about the month");
  });

  it("marks nothing outside the diff, which would make GitHub refuse the whole review", () => {
    const { body, comments } = renderReview(
      tellReviewFailure().state,
      months,
      1,
      new Map([["src/months.js", new Set([1])]]),
    );
    expect(comments).toEqual([]);
    expect(body).toContain("Amounts are compared as text");
  });

  it("is empty for an attempt nobody has judged", () => {
    expect(renderReview(tellMidRun().state, chunkId("categories"), 1, new Map())).toEqual({ body: "", comments: [] });
  });

  it("marks only lines of the diff, without a gap, inside what was cited", () => {
    const line = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(fc.uniqueArray(line), line, fc.integer({ min: 0, max: 10 }), (lines, start, length) => {
        const where = buildEvidence("src/months.js", start, start + length);
        const finding = { severity: "blocking", title: "t", expected: "e", found: "f", where } as const;
        const judged = failReview(MONTHS, [finding]);
        const comments = buildInlineComments({ ...judged, criteria: [] }, new Map([["src/months.js", new Set(lines)]]));
        expect(comments.length > 0).toBe(lines.some((entry) => entry >= start && entry <= start + length));
        for (const comment of comments) {
          const first = comment.startLine ?? comment.line;
          expect(first).toBeGreaterThanOrEqual(start);
          expect(comment.line).toBeLessThanOrEqual(start + length);
          expect(comment.startLine).not.toBe(comment.line);
          for (let at = first; at <= comment.line; at += 1) expect(lines).toContain(at);
        }
      }),
    );
  });
});
