import { expect, it } from "@jest/globals";
import { decide } from "../../src/engine/decide.ts";
import { TIMING } from "../engine-stories/play.ts";
import { tellReady } from "../engine-stories/stories.ts";

const AUTO = { merge: { feature: "auto" } };

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
