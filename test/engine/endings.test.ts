import { describe, expect, it } from "@jest/globals";
import type { ChunkId } from "../../src/contracts/ids.ts";
import { decide } from "../../src/engine/decide.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { findRow } from "../../src/engine/table.ts";
import { TIMING } from "../engine-stories/play.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { tellMerged, tellMidRun, tellProposal, tellReady } from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";

function list(story: Story): readonly string[] {
  return decide(story.state, story.now, TIMING).actions.map((action) => action.key);
}

function fail(story: Story, effect: string, failure: "transient" | "misconfigured"): Story {
  return story.record({
    kind: "EffectFailed",
    effect,
    failure,
    message: "GitHub answers so",
    ambiguous: false,
    retryAfterMs: null,
  });
}

/** GitHub refuses it each time it is tried, and only people could change that. */
function refuse(story: Story, effect: string, times: number): void {
  for (let n = 0; n < times; n += 1) {
    expect(list(story)).toContain(effect);
    fail(story, effect, "misconfigured").wait(3_600_000);
  }
}

describe("the end of a run", () => {
  it("does not wait for ever for a report that a locked issue does not take", () => {
    const story = tellMerged();
    story.record({ kind: "IssueClosed" });
    refuse(story, "comment:report", 3);
    expect(list(story)).toContain("end");
    story.record({ kind: "RunEnded", outcome: "merged" });
    // It is said all the same when people unlock the issue soon.
    refuse(story, "comment:report", 9);
    expect(list(story)).not.toContain("comment:report");
  });

  it("does not wait for ever for an issue or a branch that rules keep", () => {
    const story = tellMerged().comment("report");
    refuse(story, "close-issue", 3);
    const [branch] = list(story).filter((key) => key.startsWith("delete:"));
    if (branch === undefined) throw new Error("no branch is deleted");
    expect(list(story)).toContain("end");
    story.record({ kind: "RunEnded", outcome: "merged" });
    refuse(story, branch, 12);
    expect(list(story)).not.toContain(branch);
    expect(decide(story.state, story.now, TIMING).waits.map((wait) => wait.subject)).not.toContain(branch);
  });

  it("leaves a pull request that GitHub never marks as merged to whoever pushed to it", () => {
    const story = tellMerged().comment("report").record({ kind: "IssueClosed" });
    story.record({ kind: "RunEnded", outcome: "merged" });
    const [branch] = list(story).filter((key) => key.startsWith("delete:"));
    if (branch !== undefined) story.record({ kind: "BranchDeleted", branch: branch.slice("delete:".length) });
    const waits = () => decide(story.state, story.now, TIMING).waits.filter(({ what }) => what.includes("as merged"));
    expect(waits()).toHaveLength(1);
    expect(waits()[0]?.until).toBe(story.now + 60_000);
    story.wait(60_000);
    expect(waits()[0]?.until ?? 0).toBeGreaterThan(story.now);
    story.wait(6 * 3_600_000);
    expect(waits()).toEqual([]);
  });

  it("takes the verdict back from such a pull request: nobody has reviewed what it holds now", () => {
    const story = tellMerged().comment("report").record({ kind: "IssueClosed" });
    const chunk = "months" as ChunkId;
    story.record({ kind: "ChunkPullOpened", effect: `pull:${chunk}:2`, chunk, number: 99, url: "u" });
    const key = `${chunk}:1`;
    story.record({ kind: "ReviewPosted", effect: `review:${key}`, key, id: 71, url: "u", standsOn: 99 });
    story.record({ kind: "RunEnded", outcome: "merged" });
    const dismissal = `dismiss:${key}`;
    story.wait(59_000);
    expect(list(story)).not.toContain(dismissal);
    story.wait(1_000);
    expect(list(story)).toContain(dismissal);
    story.record({ kind: "PullSettled", number: 99, outcome: "merged" }).wait(60_000);
    expect(list(story)).not.toContain(dismissal);
  });

  it("closes what a person left open who merged the feature early, and keeps its base until then", () => {
    const story = tellMidRun();
    const [landed, open] = ["months", "categories"].map((id) => findRow(story.state.chunks, chunkId(id))?.pulls.at(-1));
    const number = open?.number ?? 0;
    const feature = story.state.featurePull?.number ?? 0;
    const integration = `delete:taskfleet/${story.run}/integration`;
    const branch = `taskfleet/${story.run}/chunk/categories`;
    story.record(
      { kind: "PullSettled", number: feature, outcome: "merged" },
      { kind: "FeatureMerged", commit: fakeSha("early"), how: "person", verified: false },
    );
    story.comment("report").record({ kind: "IssueClosed" });
    const { actions, waits } = decide(story.state, story.now, TIMING);
    expect(actions).toContainEqual(
      expect.objectContaining({ kind: "ClosePull", number, why: "the feature was merged without categories" }),
    );
    // Said once it is closed: a person may have merged it, too.
    expect(list(story)).not.toContain(`comment:closed:${number}`);
    expect(list(story).filter((key) => key.startsWith("close:"))).toEqual([`close:${number}`]);
    expect(landed?.number).not.toBe(number);
    expect(list(story)).not.toContain(integration);
    expect(list(story)).not.toContain("end");
    expect(waits.map(({ subject, what }) => [subject, what])).toEqual([
      [branch, "its pull request is not closed yet"],
      [integration.slice("delete:".length), "pull requests of chunks that did not land are not closed yet"],
    ]);
    story.record({ kind: "PullClosed", effect: `close:${number}`, number });
    expect(decide(story.state, story.now, TIMING).actions).toContainEqual(
      expect.objectContaining({
        kind: "PostComment",
        on: number,
        subject: { kind: "closed", chunk: "categories", rev: null, feature },
      }),
    );
    story.comment(`closed:${number}`);
    expect(list(story)).not.toContain(`comment:closed:${number}`);
    expect(list(story)).toEqual(expect.arrayContaining([`delete:${branch}`, integration, "end"]));
  });

  it("waits for what fails only for a while", () => {
    const story = fail(tellMerged(), "comment:report", "transient");
    const actions = list(story.wait(3_600_000));
    expect(actions).toContain("comment:report");
    expect(actions.filter((key) => key === "end" || key.startsWith("delete:"))).toEqual([]);
  });
});

describe("a text that GitHub refuses", () => {
  it.each([
    ["the feature pull request's body", "feature-body"],
    ["the check of the whole run", "check:"],
  ])("waits for its next try, though the refusal itself changes what is to be shown: %s", (_text, prefix) => {
    const story = prefix === "check:" ? tellReady() : tellProposal();
    const effect = list(story).find((key) => key.startsWith(prefix));
    if (effect === undefined) throw new Error(`${prefix} is not tried`);
    fail(story, effect, "misconfigured");
    expect(deriveNeeds(story.state, story.now).filter((need) => need.kind === "failure")).toHaveLength(1);
    expect(list(story).filter((key) => key.startsWith(prefix))).not.toContain(effect);
    expect(list(story.wait(3_600_000))).toContain(effect);
  });
});

describe("an effect that failed and then succeeded", () => {
  it("is nobody's worry any more", () => {
    const story = tellProposal();
    const effect = "feature-body";
    refuse(story, effect, 1);
    expect(deriveNeeds(story.state, story.now).map((need) => need.kind)).toContain("failure");
    story.record({ kind: "EffectEnded", effect });
    expect(deriveNeeds(story.state, story.now).map((need) => need.kind)).not.toContain("failure");
  });
});

describe("/approve where the issue takes no comments", () => {
  it.each<[string, (hash: string) => string, boolean]>([
    ["the hash, as the feature pull request shows it", (hash) => hash.slice(0, 12), true],
    ["a beginning that could be chance", (hash) => hash.slice(0, 4), false],
    ["nothing", () => "", false],
    ["another hash", () => "ffffffffffff", false],
  ])("with %s", (_case, write, accepted) => {
    const story = tellProposal();
    story.command("replan", "smaller");
    const draft = story.state.revisions[0]?.draft;
    if (draft === undefined) throw new Error("there is no plan");
    story.receiveDraft({ ...draft, chunks: draft.chunks.slice(0, 1) }).commitPlan(draft);
    const hash = story.state.revisions.at(-1)?.hash ?? "";
    story.command("approve", write(hash));
    expect(story.state.approved?.rev === 2).toBe(accepted);
  });
});
