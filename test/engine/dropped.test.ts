import { describe, expect, it } from "@jest/globals";
import type { Action } from "../../src/engine/action.ts";
import { decide } from "../../src/engine/decide.ts";
import { findRow } from "../../src/engine/table.ts";
import { chunkId } from "../engine-stories/names.ts";
import { buildDraft } from "../engine-stories/plans.ts";
import { TIMING } from "../engine-stories/play.ts";
import { passFloor } from "../engine-stories/results.ts";
import { CATEGORIES, tellProposal } from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";

const months = chunkId("months");
const config = { agents: [{ name: "default" }, { name: "other" }] };

function listActions(story: Story): readonly Action[] {
  return decide(story.state, story.now, TIMING).actions;
}

/** `months` has a pull request, and is dropped. */
function tellDropped(): Story {
  const story = tellProposal({ config }).approve().start(months).receive(months).commit(months);
  story.command("skip", months);
  return story;
}

function findPull(story: Story): number {
  return findRow(story.state.chunks, months)?.pulls.at(-1)?.number ?? 0;
}

/** Its pull request is closed and its branch is gone. */
function clear(story: Story): Story {
  const branch = `taskfleet/${story.run}/chunk/${months}`;
  const number = findPull(story);
  return story
    .comment(`closed:${number}`)
    .record({ kind: "PullClosed", effect: `close:${number}`, number }, { kind: "BranchDeleted", branch });
}

it("the pull request of a later attempt is closed once another one of the chunk was merged by hand", () => {
  const story = tellProposal({ config }).approve().start(months).receive(months).commit(months);
  const merged = findPull(story);
  const later = {
    kind: "ChunkPullOpened",
    effect: "pull:months:2",
    chunk: months,
    number: merged + 1,
    url: "",
  } as const;
  story.record(later, { kind: "PullSettled", number: merged, outcome: "merged" });
  expect(listActions(story).filter(({ key }) => key.endsWith(`:${merged + 1}`))).toMatchObject([
    { kind: "PostComment", subject: { kind: "closed", chunk: months, merged } },
    { kind: "ClosePull", number: merged + 1, why: `pull request ${merged} of months was merged by hand` },
  ]);
});

describe("a chunk that people dropped", () => {
  it("has its pull request closed with the reason, once", () => {
    const story = tellDropped();
    const number = findPull(story);
    expect(listActions(story)).toContainEqual(
      expect.objectContaining({ kind: "ClosePull", number, why: "somebody dropped months" }),
    );
    expect(listActions(story)).toContainEqual(
      expect.objectContaining({
        kind: "PostComment",
        on: number,
        subject: { kind: "closed", chunk: months, rev: null },
      }),
    );
    clear(story);
    expect(listActions(story).filter(({ key }) => key.endsWith(`:${number}`))).toEqual([]);
  });

  it.each<[command: "take" | "assign", args: string, action: Action["kind"]]>([
    ["take", months, "PrepareTake"],
    ["assign", `${months} other`, "DispatchJob"],
  ])("is taken up again by /%s: its branch is prepared", (command, args, kind) => {
    const story = clear(tellDropped());
    story.command(command, args);
    expect(story.state.commands.at(-1)?.accepted).toBe(true);
    const next = listActions(story).filter(({ key }) => key.includes(months) && !key.startsWith("comment:"));
    expect(next.map((action) => action.kind)).toEqual([kind]);
  });

  it("gets its branch, and another pull request, when it is built after all", () => {
    const story = clear(tellDropped());
    story.command("take", months);
    const tip = story.state.integration?.tip ?? story.state.run.fork;
    story.record({ kind: "TakePrepared", chunk: months, base: tip, n: 2 });
    story.record({
      kind: "PersonPushed",
      chunk: months,
      attempt: 2,
      by: "alice",
      base: tip,
      head: tip,
      tree: tip,
      files: [],
      problems: [],
    });
    expect(listActions(story).map(({ kind }) => kind)).toContain("OpenChunkPull");
    // And loses them again: somebody may have reopened the former one meanwhile.
    story.command("skip", months);
    const again = listActions(story).flatMap((action) => (action.kind === "ClosePull" ? [action.number] : []));
    expect(again).toEqual([findRow(story.state.chunks, months)?.pulls.at(-1)?.number]);
    // Taken up again before that, it is as closed as it was.
    story.command("retry", months);
    expect(listActions(story).map(({ kind }) => kind)).not.toContain("ClosePull");
    expect(findRow(story.state.chunks, months)?.pulls.map(({ settled }) => settled)).not.toContain(null);
    story.command("skip", months);
    for (const number of again) story.record({ kind: "PullClosed", effect: `close:${number}`, number });
    expect(listActions(story).map(({ kind }) => kind)).not.toContain("ClosePull");
    story.command("cancel");
    story.comment("report");
    expect(listActions(story).map(({ key }) => key)).toContain(`delete:taskfleet/${story.run}/chunk/${months}`);
  });
});

it("a pull request whose chunk the new plan does not contain is closed with that reason", () => {
  const story = tellProposal().approve().start(months).receive(months).commit(months).floor(months, passFloor());
  story.command("replan", "without months");
  const draft = buildDraft([CATEGORIES]);
  story.receiveDraft(draft).commitPlan(draft).comment("approval:2").approve();
  const [closing] = listActions(story).filter((action) => action.kind === "ClosePull");
  expect(closing).toMatchObject({ number: findPull(story), why: "plan revision 2 does not contain months any more" });
  // One that has landed is not touched.
  const landed = tellProposal().approve().start(months).receive(months).commit(months).land(months);
  landed.command("replan", "without months");
  landed.receiveDraft(draft).commitPlan(draft).comment("approval:2").approve();
  expect(listActions(landed).filter((action) => action.kind === "ClosePull")).toEqual([]);
});
