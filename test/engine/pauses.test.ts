import { describe, expect, it } from "@jest/globals";
import { decide } from "../../src/engine/decide.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { deriveHold } from "../../src/engine/derive/plan-progress.ts";
import type { Pause } from "../../src/engine/state.ts";
import { deriveHeadline } from "../../src/messages/words/headline.ts";
import { TIMING } from "../engine-stories/play.ts";
import { tellMidRun } from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";

const EDITED = { kind: "IntentEdited", hash: "abcdef0123456789", by: "bob", writer: true } as const;

/** Everything that pauses a run, each with the question that only it asks. */
const STOPS: Readonly<Record<Exclude<Pause["why"], "person">, (story: Story) => Story>> = {
  edited: (story) => story.record(EDITED),
  "feature-closed": (story) =>
    story.record({ kind: "PullSettled", number: story.state.featurePull?.number ?? 0, outcome: "closed" }),
  rebuilt: (story) => story.record({ kind: "RunRebuilt", countBase: 100 }),
  toolchain: (story) => changeToolchain(changeToolchain(story)),
};

function changeToolchain(story: Story): Story {
  const job = story.dispatch({ role: "floor", subject: "accept-1" });
  story.endJob(job).record({
    kind: "FloorComputed",
    job,
    subject: { kind: "accept", n: 1 },
    commit: story.state.run.fork,
    result: { outcome: "fail", gates: [], violations: [], more: 0, toolchainChanged: { was: "a", now: "b" } },
    document: "captures",
  });
  const [revision] = story.state.revisions;
  if (revision === undefined || story.state.baseline.renewals > 1) return story;
  const again = story.dispatch({ role: "baseline" });
  story.endJob(again).record(story.buildBaselineBound(again));
  return story.commitPlan(revision.draft);
}

function listAsked(story: Story): readonly string[] {
  return deriveNeeds(story.state, story.now).flatMap((need) => (need.kind === "stopped" ? [need.why] : []));
}

function readAnswer(story: Story): string {
  return story.state.commands.at(-1)?.answer ?? "";
}

function listPlanners(story: Story): readonly string[] {
  return decide(story.state, story.now, TIMING).actions.flatMap((action) =>
    action.kind === "DispatchJob" && action.dispatch.subject.role === "plan" ? [action.dispatch.job] : [],
  );
}

describe("a paused run", () => {
  it.each(Object.entries(STOPS))("asks about what paused it (%s), and never again once it was resumed", (why, stop) => {
    const story = stop(tellMidRun());
    expect(listAsked(story)).toEqual([why]);
    story.command("resume");
    expect(listAsked(story)).toEqual([]);
    story.command("pause", "", "carol");
    expect(listAsked(story)).toEqual([]);
    expect(deriveHeadline(story.state, story.now).sentence).toBe("Paused by carol: nothing new starts or lands.");
  });

  it("asks again when the feature pull request that was taken up again is closed again", () => {
    const story = tellMidRun();
    const { number = 0, nodeId = "", url = "" } = story.state.featurePull ?? {};
    const keys = [1, 2, 3].map(() => {
      STOPS["feature-closed"](story);
      const [need] = deriveNeeds(story.state, story.now);
      story.command("resume");
      story.record({ kind: "FeaturePullOpened", effect: "feature-pull", number, nodeId, url });
      return need?.key;
    });
    expect(keys).toEqual([`feature-closed:${number}`, `feature-closed:${number}:1`, `feature-closed:${number}:2`]);
  });

  it("asks about everything that paused it, and says all of it", () => {
    const story = tellMidRun();
    story.command("pause");
    STOPS["feature-closed"](STOPS.edited(story));
    expect(listAsked(story)).toEqual(["edited", "feature-closed"]);
    expect(deriveHold(story.state)).toBe(
      "paused by alice and bob's edit of the issue and the closing of the feature pull request",
    );
    story.command("resume");
    expect(deriveHold(story.state)).toBeNull();
  });

  it("still asks what a writer's edit means when somebody else edits the issue, too", () => {
    const story = STOPS.edited(tellMidRun());
    story.record({ kind: "IntentEdited", hash: "fedcba9876543210", by: "mallory", writer: false });
    expect(deriveNeeds(story.state, story.now).map((need) => need.key)).toEqual([
      "edited:abcdef012345",
      "noted:fedcba987654",
    ]);
  });
});

describe("/replan of a paused run", () => {
  it("answers the question an edit of the issue asks: the plan is written, and nothing else holds the run", () => {
    const story = STOPS.edited(tellMidRun());
    expect(listPlanners(story)).toEqual([]);
    story.command("replan", "in euros now");
    expect(readAnswer(story)).toContain("A new plan revision is being written.");
    expect(readAnswer(story)).toContain("The pause by bob's edit of the issue is over.");
    expect(listPlanners(story)).toHaveLength(1);
    expect(listAsked(story)).toEqual([]);
    expect(deriveHold(story.state)).toBe("a new plan revision is being written");
  });

  it("takes the place of a person's pause: nothing starts in between", () => {
    const story = tellMidRun();
    story.command("pause");
    story.command("replan", "another way", "bob");
    expect(readAnswer(story)).toContain("The pause by alice is over.");
    expect(listPlanners(story)).toHaveLength(1);
    expect(deriveHold(story.state)).toBe("a new plan revision is being written");
  });

  it.each(["feature-closed", "rebuilt", "toolchain"] as const)(
    "says that /resume comes first (%s), and is done then",
    (why) => {
      const story = STOPS[why](tellMidRun());
      story.command("replan", "another way");
      expect(readAnswer(story)).toContain("so `/resume` comes first");
      expect(readAnswer(story)).not.toContain("is being written");
      expect(listPlanners(story)).toEqual([]);
      expect(listAsked(story)).toEqual([why]);
      story.command("resume");
      expect(listPlanners(story)).toHaveLength(1);
    },
  );
});
