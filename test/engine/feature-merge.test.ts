import { describe, expect, it } from "@jest/globals";
import { decide } from "../../src/engine/decide.ts";
import { answerAction } from "../engine-stories/obey.ts";
import { buildDraft } from "../engine-stories/plans.ts";
import { TIMING } from "../engine-stories/play.ts";
import { failReview, passFloor, passReview } from "../engine-stories/results.ts";
import { REPORT, tellAllLanded, tellReady } from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";
import { buildWorld } from "../engine-stories/world.ts";
import { deriveHeadline } from "../../src/messages/words/headline.ts";

const AUTO = { merge: { feature: "auto" } };

/** What is to be done once the check that a merge waits for is published. */
function listKinds(story: Story): readonly string[] {
  const [first] = decide(story.state, story.now, TIMING).actions;
  if (first?.kind === "PublishCheck" && first.priority === "landing")
    story.record(...answerAction(story, buildWorld(buildDraft([REPORT])), first));
  return decide(story.state, story.now, TIMING).actions.map(({ kind }) => kind);
}

function findFeature(story: Story): number {
  return story.state.featurePull?.number ?? 0;
}

/** The newest reviews of the feature pull request, as far as they ask for changes. */
function request(story: Story, ...blockers: readonly string[]): Story {
  const pull = findFeature(story);
  return story.record({ kind: "ReviewsObserved", pull, blockers, n: (story.state.blockers[pull]?.n ?? 0) + 1 });
}

function overrule(story: Story, args: string): readonly [accepted: boolean, answer: string] {
  const [comment, on] = [story.nextComment(), findFeature(story)];
  story.record({ kind: "CommandReceived", comment, line: 0, on, by: "alice", name: "override", args });
  const last = story.state.commands.at(-1);
  return [last?.accepted ?? false, last?.answer ?? ""];
}

describe("a feature of which a writer has requested changes", () => {
  it.each(["auto", "human"])("is not merged, and everything says who waits for what (merge: %s)", (feature) => {
    const story = request(tellReady({ config: { merge: { feature } } }), "carol");
    expect(listKinds(story)).not.toContain("MergeFeature");
    expect(decide(story.state, story.now, TIMING).waits).toContainEqual(
      expect.objectContaining({ what: "changes are requested by carol" }),
    );
    expect(deriveHeadline(story.state, story.now)).toMatchObject({
      sentence: "All 4 chunks have landed. Everything was verified, but waits: carol requested changes.",
      url: story.state.featurePull?.url,
    });
  });

  it("is merged once that is dismissed, or overruled by name", () => {
    const dismissed = request(request(tellReady({ config: AUTO }), "carol"));
    expect(listKinds(dismissed)).toContain("MergeFeature");
    const story = request(tellReady({ config: AUTO }), "carol");
    expect(overrule(story, "review we talked about it")).toEqual([
      true,
      "The changes carol requested of the feature are overruled: they do not keep it from being merged.",
    ]);
    expect(listKinds(story)).toContain("MergeFeature");
    expect(deriveHeadline(story.state, story.now).sentence).toContain("Everything was verified: merging.");
    expect(story.state.overrides).toEqual([
      expect.objectContaining({ gate: "requested changes", accept: 1, requests: ["carol"], why: "we talked about it" }),
    ]);
  });

  it("waits again when somebody else requests changes after that, or the same person of another commit", () => {
    const story = request(tellReady({ config: AUTO }), "carol");
    overrule(story, "review we talked about it");
    request(story, "carol", "dave");
    expect(listKinds(story)).not.toContain("MergeFeature");
    expect(decide(story.state, story.now, TIMING).waits).toContainEqual(
      expect.objectContaining({ what: "changes are requested by dave" }),
    );
    request(story, "carol");
    story.record({ kind: "SourceMoved", n: 1, sha: story.state.run.fork });
    story.createAccept().floorAccept(passFloor()).reviewAccept(passReview(REPORT)).commitAccept();
    story.record({ kind: "CiGathered", n: 2, commit: story.state.run.fork, state: "pass", rows: [] });
    expect(listKinds(story)).not.toContain("MergeFeature");
  });

  it("is overruled together with the final review, never before it, and not where nobody asks for anything", () => {
    const early = request(tellAllLanded().createAccept().floorAccept(passFloor()), "carol");
    expect(overrule(early, "review fine")[0]).toBe(false);
    const failed = early.reviewAccept(failReview(REPORT));
    expect(overrule(failed, "review fine")[1]).toBe(
      "The final review is overruled, and so are the changes carol requested of the feature.",
    );
    expect(overrule(failed, "review fine")[0]).toBe(false);
    expect(overrule(tellReady(), "review fine")).toEqual([false, expect.stringContaining("nobody's request")]);
  });
});

it("says what a merge waits for while the feature pull request is opened anew", () => {
  const story = tellReady({ config: AUTO });
  const number = story.state.featurePull?.number ?? 0;
  story.record({ kind: "PullSettled", number, outcome: "closed" });
  story.command("resume");
  const { actions, waits } = decide(story.state, story.now, TIMING);
  expect(actions.map(({ kind }) => kind)).toContain("OpenFeaturePull");
  expect(actions.map(({ kind }) => kind)).not.toContain("MergeFeature");
  expect(waits).toContainEqual(expect.objectContaining({ subject: "feature", unblock: "it is open" }));
});
