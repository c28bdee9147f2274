import { describe, expect, it } from "@jest/globals";
import { formatCommitMessage, parseTrailer } from "../../src/contracts/commit-message.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { buildAcceptNote } from "../../src/messages/accept-note.ts";
import { renderCheck } from "../../src/messages/check.ts";
import { renderFeatureMerge } from "../../src/messages/feature-merge.ts";
import { buildLandingNote } from "../../src/messages/landing-note.ts";
import { renderNeedComment } from "../../src/messages/need-comment.ts";
import { renderReport } from "../../src/messages/report-comment.ts";
import { renderStatusComment } from "../../src/messages/status-comment.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { failFloor, failReview, passFloor } from "../engine-stories/results.ts";
import { REPORT, tellAllLanded, tellMidRun, tellProposal, tellReviewFailure } from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";
import { findRow } from "../../src/engine/table.ts";

const months = chunkId("months");

/** A comment on the pull request of `months`. */
function overrule(story: Story, args: string): Story {
  const on = findRow(story.state.chunks, months)?.pulls.at(-1)?.number ?? 0;
  return story.record({
    kind: "CommandReceived",
    comment: story.nextComment(),
    line: 0,
    on,
    by: "bob",
    name: "override",
    args,
  });
}

describe("a gate that a person overruled", () => {
  it("is never green: the check says who did it and why", () => {
    const story = tellProposal().approve().start(months).receive(months).commit(months).floor(months, failFloor());
    overrule(story, "no-regression the test was wrong");
    const check = renderCheck(story.state, { kind: "floor", chunk: months, attempt: 1 }, story.now);
    expect(check.conclusion).toBe("neutral");
    expect(check.title).toContain("failed the floor and was overruled");
    expect(check.summary).toContain("⚠️ `bob` overruled `no regression`: the test was wrong");
  });

  it("stays red while another gate still fails", () => {
    const both = failFloor(...failFloor().violations, { gate: 6, rule: "out-of-scope", message: "no" });
    const story = tellProposal().approve().start(months).receive(months).commit(months).floor(months, both);
    overrule(story, "2 the test was wrong");
    expect(renderCheck(story.state, { kind: "floor", chunk: months, attempt: 1 }, story.now).conclusion).toBe(
      "failure",
    );
  });

  it("takes the reviewer's name off the landing and puts the person's on it", () => {
    const story = overrule(tellReviewFailure(), "review good enough for now");
    const review = renderCheck(story.state, { kind: "review", chunk: months, attempt: 1 }, story.now);
    expect(review).toMatchObject({ conclusion: "neutral", title: expect.stringMatching(/^Overruled FAIL/u) });
    const message = formatCommitMessage(buildLandingNote(story.state, [months]));
    expect(parseTrailer(message, "Reviewed-by")).toBeNull();
    expect(parseTrailer(message, "Overridden-by")).toBe("bob (review): good enough for now");
    expect(message).toContain("- [x] The tests of months pass\n- [ ] months refuses an empty input (overruled)");
  });

  it("is told in the report, with the reason", () => {
    const story = overrule(tellReviewFailure(), "review good enough for now").land(months);
    const text = renderReport(story.state);
    expect(text).toContain("| `months`: Group entries by month | ⚠️ landed, overruled: review |");
    expect(text).toContain("| review | `months`, attempt 1 | `bob` | good enough for now |");
  });

  it("shows on the whole feature too", () => {
    const story = tellAllLanded().createAccept().floorAccept(passFloor()).reviewAccept(failReview(REPORT));
    story.command("override", "review we know", "bob");
    const check = renderCheck(story.state, { kind: "accept", n: 1 }, story.now);
    expect(check).toMatchObject({ conclusion: "neutral", title: expect.stringContaining("a person overruled it") });
    const message = formatCommitMessage(buildAcceptNote(story.state, 1));
    expect(parseTrailer(message, "Reviewed-by")).toBeNull();
    expect(parseTrailer(message, "Overridden-by")).toBe("bob (review): we know");
  });
});

describe("what people take and merge by hand", () => {
  it("names who implements a chunk", () => {
    const story = tellProposal().approve();
    story.command("take", "months", "bob");
    story.record({ kind: "TakePrepared", chunk: months, base: fakeSha("tip"), n: 1 });
    expect(renderStatusComment(story.state, [], story.now)).toContain("| 🧑 `bob` implements it |");
  });

  it("says of a chunk merged by hand that it landed unverified", () => {
    const story = tellProposal().approve().start(months).receive(months).commit(months);
    const number = findRow(story.state.chunks, months)?.pulls.at(-1)?.number ?? 0;
    story.record({ kind: "PullSettled", number, outcome: "merged" });
    expect(renderStatusComment(story.state, [], story.now)).toContain("| ⚠️ landed unverified |");
    expect(renderReport(story.state)).toContain("⚠️ landed unverified: merged by hand");
  });
});

describe("what people did to the issue", () => {
  const ask = (story: Story): string => {
    const [need] = deriveNeeds(story.state, story.now);
    return need === undefined ? "" : renderNeedComment(story.state, need);
  };

  it("asks before it cancels because the issue was closed or the label removed", () => {
    const closed = ask(tellMidRun().record({ kind: "IssueInterfered", n: 1, what: "closed" }));
    expect(closed).toContain("The issue was closed: cancelling soon");
    expect(closed).toContain("reopen the issue if it was a mistake");
    const unlabeled = ask(tellMidRun().record({ kind: "IssueInterfered", n: 1, what: "unlabeled" }));
    expect(unlabeled).toContain("set the label again if it was a mistake");
  });

  it("pauses and asks what a writer's edit means, and only notes a stranger's", () => {
    const edited = (writer: boolean): Story =>
      tellMidRun().record({ kind: "IntentEdited", hash: "abcdef012345", by: "bob", writer });
    expect(ask(edited(true))).toContain("The issue was edited: paused");
    const noted = edited(false);
    expect(ask(noted)).toContain("The issue was edited by somebody without write access: nothing changes");
    // A note asks nobody for anything.
    expect(renderStatusComment(noted.state, [], noted.now)).not.toContain("**Needed:**");
  });
});

describe("the merge through a pull request", () => {
  it("closes the issue and lets no title act", () => {
    const story = tellProposal({ title: "fixes #9 [skip ci] @victim" });
    const merge = renderFeatureMerge({ ...story.state, approved: null });
    expect(merge.title).not.toMatch(/#9|\[skip ci\]|@victim/u);
    expect(merge.title).toMatch(/ \(#8\)$/u);
    expect(merge.message).toContain("Closes #7\n");
    expect(merge.message).not.toContain("skip-checks");
    expect(renderFeatureMerge(tellProposal().approve().state).title).toBe("Budgets per category (#8)");
  });
});
