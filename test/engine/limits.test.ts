import { describe, expect, it } from "@jest/globals";
import type { Config } from "../../src/contracts/config.ts";
import { configSchema } from "../../src/contracts/config.ts";
import type { Dispatch } from "../../src/engine/action.ts";
import { decide } from "../../src/engine/decide.ts";
import { deriveStops, deriveTries } from "../../src/engine/derive/chunk-progress.ts";
import { deriveTier } from "../../src/engine/derive/promotion.ts";
import { chunkId } from "../engine-stories/names.ts";
import { TIMING } from "../engine-stories/play.ts";
import { failFloor, failReview, passFloor, REGRESSION, OUT_OF_SCOPE, voidReview } from "../engine-stories/results.ts";
import { MONTHS, tellEscalation, tellProposal } from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";
import { findRow } from "../../src/engine/table.ts";

const id = chunkId("months");

/** Three failures that are not the same, so that the limit of tries is what stops them. */
const FAILURES = [failFloor(REGRESSION), failFloor(OUT_OF_SCOPE), failFloor(REGRESSION, OUT_OF_SCOPE)] as const;

function failFloorOf(story: Story, times: number): Story {
  for (let n = 0; n < times; n += 1)
    story
      .start(id)
      .receive(id)
      .commit(id)
      .floor(id, FAILURES[n % FAILURES.length] ?? failFloor());
  return story;
}

function begin(): Story {
  return tellProposal().approve();
}

function listStarts(story: Story): readonly Dispatch[] {
  return decide(story.state, story.now, TIMING).actions.flatMap((action) =>
    action.kind === "DispatchJob" && action.dispatch.subject.role === "implement" ? [action.dispatch] : [],
  );
}

function findStart(story: Story): Dispatch | undefined {
  return listStarts(story).find((dispatch) => dispatch.attempt?.chunk === id);
}

describe("tries", () => {
  it("end after three failed floors, refused change sets included", () => {
    const story = failFloorOf(begin(), 2);
    expect(findStart(story)?.attempt?.n).toBe(3);
    story.start(id).receive(id, [OUT_OF_SCOPE]);
    expect(findStart(story)).toBeUndefined();
    expect(deriveStops(story.state).escalated.get(id)?.reason).toBe("failed the floor 3 of 3 times");
  });

  it("are counted per gate", () => {
    const story = failFloorOf(begin(), 2);
    for (let n = 0; n < 2; n += 1)
      story.start(id).receive(id).commit(id).floor(id, passFloor()).review(id, failReview(MONTHS));
    expect(deriveTries(findRow(story.state.chunks, id) ?? never())).toMatchObject({ floor: 2, review: 2, unusable: 0 });
    expect(findStart(story)?.attempt?.n).toBe(5);
  });

  it("end after two agents without a usable result", () => {
    const story = begin().start(id);
    story.endJob(story.attemptOf(id).job, "unusable", "it printed nothing").start(id);
    story.endJob(story.attemptOf(id).job, "unusable", "it printed nothing");
    expect(deriveStops(story.state).escalated.get(id)?.gate).toBe("agent");
  });

  it("are nobody's when something outside fails, until it has failed three times in a row", () => {
    const story = begin();
    for (let n = 1; n <= 2; n += 1) {
      story.start(id);
      story.endJob(story.attemptOf(id).job, n === 1 ? "external" : "lost", "no runner");
      // An outage is not over within a second: the next one waits, and longer each time.
      expect(findStart(story)).toBeUndefined();
      story.wait(30_000 * 4 ** (n - 1));
      expect(findStart(story)?.attempt?.n).toBe(n + 1);
    }
    story.start(id).receive(id).commit(id).floor(id, failFloor());
    expect(deriveTries(findRow(story.state.chunks, id) ?? never())).toMatchObject({ floor: 1, unusable: 0, lost: 0 });
    for (let n = 0; n < 3; n += 1) {
      story.start(id);
      story.endJob(story.attemptOf(id).job, "external", "no runner");
    }
    expect(deriveStops(story.state).escalated.get(id)?.gate).toBe("external");
  });

  it("stop three reviewers that cannot be believed, which is not the implementer's fault", () => {
    const story = begin().start(id).receive(id).commit(id).floor(id, passFloor());
    for (let n = 0; n < 3; n += 1) story.review(id, voidReview());
    expect(deriveTries(findRow(story.state.chunks, id) ?? never())).toMatchObject({ review: 0, voidReviews: 3 });
    expect(deriveStops(story.state).escalated.get(id)?.gate).toBe("reviewer");
  });

  it("go on with the feedback and the last change set", () => {
    const story = failFloorOf(begin(), 1);
    const former = story.attemptOf(id);
    const start = findStart(story);
    expect(start?.request.start).toEqual({ base: former.base, head: former.head });
    expect(start?.documents.feedback?.items).toEqual([
      {
        source: "floor:no regression",
        text: "test/money.test.js:12: the test `adds amounts` passed before and fails now (was: passed; now: failed) Hint: run `npm test` on the branch to see it",
      },
    ]);
  });

  it("tell the next reviewer nothing of what was before", () => {
    const story = begin().start(id).receive(id).commit(id).floor(id, passFloor()).review(id, failReview(MONTHS));
    story.start(id).receive(id).commit(id).floor(id, passFloor());
    const review = decide(story.state, story.now, TIMING).actions.find(
      (action) => action.kind === "DispatchJob" && action.dispatch.subject.role === "review",
    );
    if (review?.kind !== "DispatchJob") throw new Error("no reviewer is asked");
    expect(review.dispatch.documents).toMatchObject({ feedback: null, intent: null });
    expect(review.dispatch.request.attempt).toBeUndefined();
  });
});

describe("an escalation", () => {
  it("stops the chunks that wait for it and no others", () => {
    const story = tellEscalation();
    const stops = deriveStops(story.state);
    expect([...stops.escalated.keys()]).toEqual(["categories"]);
    expect([...stops.stopped]).toEqual([
      ["budgets", "categories"],
      ["report", "categories"],
    ]);
    expect(listStarts(story)).toEqual([]);
    const other = tellProposal().approve();
    const categories = chunkId("categories");
    for (let n = 0; n < 3; n += 1)
      other
        .start(categories)
        .receive(categories)
        .commit(categories)
        .floor(categories, FAILURES[n] ?? failFloor());
    expect(listStarts(other).map((dispatch) => dispatch.attempt?.chunk)).toEqual(["months"]);
  });

  it("is over after /retry, which gives fresh tries", () => {
    const story = tellEscalation();
    story.command("retry", "categories");
    expect(deriveStops(story.state).escalated.size).toBe(0);
    expect(listStarts(story).map((dispatch) => [dispatch.attempt?.chunk, dispatch.attempt?.n])).toEqual([
      ["categories", 4],
    ]);
  });

  it("lets what depends on it go on after /skip", () => {
    const story = tellEscalation();
    story.command("skip", "categories");
    expect(listStarts(story).map((dispatch) => dispatch.attempt?.chunk)).toEqual(["budgets"]);
  });
});

describe("promotion", () => {
  const models = { code: "small", mid: "medium", high: "large" };
  const config = (tiers: Partial<Config["tiers"]>): Config => configSchema.parse({ tiers });

  it.each([
    [0, "small"],
    [1, "small"],
    [2, "medium"],
    [3, "medium"],
    [4, "large"],
    [9, "large"],
  ])("gives the attempt after %i failures to the model %s", (failures, model) => {
    const story = failFloorOf(tellProposal({ config: { tiers: models, limits: { tries: 10 } } }).approve(), failures);
    expect(deriveTier(findRow(story.state.chunks, id) ?? never(), "code", story.config)).toMatchObject({ model });
  });

  it("passes over tiers that have the same model", () => {
    const story = failFloorOf(begin(), 2);
    const chunk = findRow(story.state.chunks, id) ?? never();
    expect(deriveTier(chunk, "code", config({ code: "one", mid: "one", high: "two" }))).toEqual({
      tier: "high",
      model: "two",
    });
    expect(deriveTier(chunk, "code", config({}))).toEqual({ tier: "code", model: "" });
    expect(deriveTier(chunk, "high", config(models))).toEqual({ tier: "high", model: "large" });
  });

  it("starts at the beginning again after /retry", () => {
    const story = failFloorOf(tellProposal({ config: { tiers: models } }).approve(), 3);
    story.command("retry", "months");
    expect(findStart(story)?.request.model).toBe("small");
  });
});

function never(): never {
  throw new Error("the chunk is not there");
}
