import { describe, expect, it } from "@jest/globals";
import { decide } from "../../src/engine/decide.ts";
import { deriveEscalation } from "../../src/engine/derive/chunk-progress.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { renderNeedComment } from "../../src/messages/need-comment.ts";
import { renderReview } from "../../src/messages/review-body.ts";
import type { LedgerEntry } from "../../src/review/ledger.ts";
import { chunkId } from "../engine-stories/names.ts";
import { TIMING } from "../engine-stories/play.ts";
import { buildEvidence, failFloor, failReview, passFloor, passReview, voidReview } from "../engine-stories/results.ts";
import { FOUR_CHUNKS, MONTHS } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { findRow } from "../../src/engine/table.ts";

const id = chunkId("months");
const INDUCED: readonly LedgerEntry[] = [{ key: "criterion:1", title: "empty input", class: "introduced-by-fix" }];
const LATENT: readonly LedgerEntry[] = [{ key: "criterion:1", title: "empty input", class: "new-latent" }];

function begin(config: unknown = {}): Story {
  return new Story({ config }).propose(FOUR_CHUNKS).approve();
}

function reviewable(story: Story): Story {
  return story.start(id).receive(id).commit(id).floor(id, passFloor());
}

function listJobs(story: Story): readonly string[] {
  return decide(story.state, story.now, TIMING).actions.flatMap((action) =>
    action.kind === "DispatchJob" && JSON.stringify(action.dispatch.subject).includes(id)
      ? [action.dispatch.subject.role]
      : [],
  );
}

const CONFIRM = { review: { confirm: 2 } };
const PASS = passReview(MONTHS);
const FAIL = failReview(MONTHS, [
  {
    severity: "blocking",
    title: "Amounts are text",
    expected: "",
    found: "",
    where: buildEvidence("src/months.js", 20),
  },
]);

describe("a second opinion", () => {
  it.each([
    ["a pass", [PASS], "verified"],
    ["a fail that is confirmed", [FAIL, FAIL], "review-failed"],
    ["a fail that two others deny", [FAIL, PASS, PASS], "verified"],
    ["a fail that the third confirms", [FAIL, PASS, FAIL], "review-failed"],
    ["a fail that is confirmed after a verdict nobody can believe", [FAIL, voidReview(), FAIL], "review-failed"],
  ] as const)("decides after %s", (_name, verdicts, stage) => {
    const story = reviewable(begin(CONFIRM));
    for (const [index, verdict] of verdicts.entries()) {
      expect([index, story.attemptOf(id).stage, listJobs(story)]).toEqual([index, "floor-passed", ["review"]]);
      story.review(id, verdict);
    }
    expect(story.attemptOf(id).stage).toBe(stage);
    expect(listJobs(story)).not.toContain("review");
  });

  it("asks one reviewer at a time, three at most, and each is a run of its own", () => {
    const story = reviewable(begin(CONFIRM)).review(id, FAIL).review(id, PASS).review(id, FAIL);
    const attempt = story.attemptOf(id);
    const jobs = [...attempt.opinions, attempt.review].map((one) => one?.job);
    expect(new Set(jobs).size).toBe(3);
    expect(attempt.review?.result.outcome).toBe("fail");
  });

  it("is not asked for where one verdict decides", () => {
    expect(reviewable(begin()).review(id, FAIL).attemptOf(id).stage).toBe("review-failed");
  });

  it("shows who was outvoted, and on what", () => {
    const story = reviewable(begin(CONFIRM)).review(id, FAIL).review(id, PASS).review(id, PASS);
    const { body } = renderReview(story.state, id, 1, new Map());
    expect(body).toMatch(/^## ✅ PASS/u);
    expect(body).toContain("Reviewers disagreed: 3 independent verdicts, the majority decided");
    expect(body).toContain("Amounts are text");
    const agreed = reviewable(begin(CONFIRM)).review(id, FAIL).review(id, FAIL);
    expect(renderReview(agreed.state, id, 1, new Map()).body).toContain("Confirmed by an independent reviewer");
  });
});

describe("churn", () => {
  it("is a person's business before the tries are used up", () => {
    const story = begin({ limits: { tries: 5 } });
    reviewable(story).review(id, FAIL);
    reviewable(story).review(id, FAIL, INDUCED);
    expect(listJobs(story)).toEqual(["implement"]);
    reviewable(story).review(id, FAIL, INDUCED);
    expect(listJobs(story)).toEqual([]);
    expect(deriveEscalation(findRow(story.state.chunks, id) ?? never(), story.state.run.config.limits)?.gate).toBe(
      "churn",
    );
    const [need] = deriveNeeds(story.state, story.now);
    const text = need === undefined ? "" : renderNeedComment(story.state, need);
    for (const said of ["mends one finding and brings another", `/retry ${id}`, `/skip ${id}`, "/replan"])
      expect(text).toContain(said);
  });

  it("counts a fix that breaks the floor, and saves the third review", () => {
    const story = begin();
    reviewable(story).review(id, FAIL);
    story.start(id).receive(id).commit(id).floor(id, failFloor());
    reviewable(story).review(id, FAIL, INDUCED);
    expect(deriveEscalation(findRow(story.state.chunks, id) ?? never(), story.state.run.config.limits)?.gate).toBe(
      "churn",
    );
  });

  it("is not what came with an attempt that was built again after a conflict: it mends nothing", () => {
    const story = reviewable(begin()).review(id, PASS);
    story.record({ kind: "ChunkConflicted", chunk: id, attempt: 1, paths: ["src/months.js"] });
    reviewable(story).review(id, FAIL, INDUCED);
    story.start(id).receive(id).commit(id).floor(id, failFloor());
    expect(listJobs(story)).toEqual(["implement"]);
    reviewable(story).review(id, FAIL, INDUCED);
    expect(deriveEscalation(findRow(story.state.chunks, id) ?? never(), story.state.run.config.limits)?.gate).toBe(
      "churn",
    );
  });

  it("begins afresh where a review was passed in between", () => {
    const story = begin({ limits: { tries: 5 } });
    reviewable(story).review(id, FAIL);
    reviewable(story).review(id, FAIL, INDUCED);
    reviewable(story).review(id, PASS);
    story.record({ kind: "ChunkConflicted", chunk: id, attempt: 3, paths: ["src/months.js"] });
    reviewable(story).review(id, FAIL, INDUCED);
    expect(listJobs(story)).toEqual(["implement"]);
  });

  it("is not what earlier reviewers overlooked", () => {
    const story = begin({ limits: { tries: 5 } });
    for (let n = 0; n < 4; n += 1) reviewable(story).review(id, FAIL, n === 0 ? [] : LATENT);
    expect(listJobs(story)).toEqual(["implement"]);
  });

  it("is over once a person wants fresh tries", () => {
    const story = begin({ limits: { tries: 5 } });
    reviewable(story).review(id, FAIL);
    reviewable(story).review(id, FAIL, INDUCED);
    reviewable(story).review(id, FAIL, INDUCED);
    story.command("retry", id);
    expect(listJobs(story)).toEqual(["implement"]);
  });
});

describe("an approval in a second App's name", () => {
  const post = (story: Story, n: number): Story =>
    story.record({
      kind: "ReviewPosted",
      effect: `review:${id}:${n}`,
      key: `${id}:${n}`,
      id: 70 + n,
      url: "u",
      standsOn: findRow(story.state.chunks, id)?.pulls.at(-1)?.number ?? 0,
    });
  const listDismissed = (story: Story): readonly number[] =>
    decide(story.state, story.now, TIMING).actions.flatMap((action) =>
      action.kind === "DismissReview" ? [action.id] : [],
    );

  it("stands as long as its commit is what the pull request holds", () => {
    const story = post(reviewable(begin()).review(id, FAIL), 1);
    expect(listDismissed(story)).toEqual([]);
    story.start(id).receive(id);
    expect(listDismissed(story)).toEqual([]);
    story.commit(id);
    expect(listDismissed(story)).toEqual([71]);
    story.record({ kind: "ReviewDismissed", key: `${id}:1` });
    expect(listDismissed(story)).toEqual([]);
  });

  it("that cannot be taken back is tried again only after a pause", () => {
    const story = post(reviewable(begin()).review(id, FAIL), 1);
    story.start(id).receive(id).commit(id);
    const [action] = decide(story.state, story.now, TIMING).actions.filter(({ kind }) => kind === "DismissReview");
    const refused = { failure: "terminal", message: "no", ambiguous: false, retryAfterMs: null } as const;
    story.record({ kind: "EffectFailed", effect: action?.key ?? "", ...refused });
    expect(listDismissed(story)).toEqual([]);
    story.wait(31 * 60_000);
    expect(listDismissed(story)).toEqual([71]);
  });

  it("is taken back when a person overrules it", () => {
    const story = post(reviewable(begin()).review(id, FAIL), 1);
    const on = findRow(story.state.chunks, id)?.pulls.at(-1)?.number ?? 0;
    story.record({
      kind: "CommandReceived",
      comment: story.nextComment(),
      line: 0,
      on,
      by: "alice",
      name: "override",
      args: "review the amounts are text on purpose",
    });
    expect(listDismissed(story)).toEqual([71]);
  });

  it("is left alone once its pull request is merged", () => {
    const story = post(reviewable(begin()).review(id, PASS), 1).land(id);
    expect(listDismissed(story)).toEqual([]);
  });
});

function never(): never {
  throw new Error("no such chunk");
}
