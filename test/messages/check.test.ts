import { describe, expect, it } from "@jest/globals";
import type { CheckSubject } from "../../src/engine/action.ts";
import { decide } from "../../src/engine/decide.ts";
import { renderCheck, type CheckText } from "../../src/messages/check.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildDraft } from "../engine-stories/plans.ts";
import { TIMING } from "../engine-stories/play.ts";
import { failFloor, failReview, OUT_OF_SCOPE, passFloor, passReview, REGRESSION } from "../engine-stories/results.ts";
import {
  FOUR_CHUNKS,
  REPORT,
  tellAllLanded,
  tellEscalation,
  tellMerged,
  tellMidRun,
  tellProposal,
  tellReady,
  tellReviewFailure,
} from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";

const months = chunkId("months");
const categories = chunkId("categories");

function render(story: Story, subject: CheckSubject): CheckText {
  return renderCheck(story.state, subject, story.now);
}

describe("the floor's check", () => {
  it("says first that an attempt passed, and which gates could not be computed", () => {
    const check = render(tellMidRun(), { kind: "floor", chunk: months, attempt: 2 });
    expect(check.title).toBe(
      "Attempt 2 of months passed the floor: 8 of 8 gates passed; 1 not configured, 1 not available",
    );
    expect(check).toMatchObject({ status: "completed", conclusion: "success", annotations: [] });
    expect(check.summary).toContain("| 2 no regression | 14 tests | 17 tests | ✅ pass |");
    expect(check.summary).toContain("| 8 coverage |   |   | ➖ not configured |");
    expect(check.summary).toContain("| 9 ci |   |   | ➖ not available |");
    expect(check.text).not.toContain("What is violated");
  });

  it("groups violations by gate with their hints, and annotates their lines", () => {
    const check = render(tellEscalation(), { kind: "floor", chunk: categories, attempt: 3 });
    expect(check.conclusion).toBe("failure");
    expect(check.title).toContain("failed the floor: 2 violations: no regression, scope");
    expect(check.text).toContain("**Gate 6, scope** (1)");
    expect(check.text).toContain("_Hint:_ run `npm test` on the branch to see it");
    expect(check.annotations).toEqual([
      {
        path: "src/table.js",
        startLine: 1,
        endLine: 1,
        level: "failure",
        title: "scope: out-of-scope",
        message: "the file is not in the chunk's list",
      },
      {
        path: "test/money.test.js",
        startLine: 12,
        endLine: 12,
        level: "failure",
        title: "no regression: regression",
        message:
          "the test `adds amounts` passed before and fails now\nWas: passed\nNow: failed\nHint: run `npm test` on the branch to see it",
      },
    ]);
  });

  it("tells of a change set that was refused before any commit", () => {
    const check = render(tellEscalation(), { kind: "floor", chunk: categories, attempt: 1 });
    expect(check.title).toBe("Attempt 1 of categories was refused before any commit: 1 problem");
    expect(check).toMatchObject({ conclusion: "failure", annotations: [] });
    expect(check.summary).toContain("stands on the branch's last commit");
  });

  it("tells of a push that was refused, on the commit that was pushed", () => {
    const story = tellProposal().approve();
    story.command("take", months);
    const { tip: base } = story.state.integration ?? { tip: fakeSha("fork") };
    story.record(
      { kind: "TakePrepared", chunk: months, base, n: 1 },
      {
        kind: "PersonPushed",
        chunk: months,
        attempt: 1,
        by: "alice",
        base,
        head: fakeSha("pushed"),
        tree: fakeSha("pushed-tree"),
        files: [],
        problems: [OUT_OF_SCOPE],
      },
    );
    const { actions, waits } = decide(story.state, story.now, TIMING);
    const subject = { kind: "floor", chunk: months, attempt: 1 } as const;
    expect(actions).toContainEqual(expect.objectContaining({ kind: "PublishCheck", sha: fakeSha("pushed"), subject }));
    const check = render(story, subject);
    expect(check.title).toBe("Attempt 1 of months was refused as it was pushed: 1 problem");
    expect(check).toMatchObject({ conclusion: "failure", annotations: [{ path: OUT_OF_SCOPE.path }] });
    expect(check.summary).toContain(OUT_OF_SCOPE.path);
    expect(check.summary).toContain("Another push to this branch is judged anew.");
    expect(check.summary).not.toContain("never became");
    expect(waits.find((wait) => wait.subject === months)).toMatchObject({
      what: "alice implements it; what was pushed as attempt 1 was refused",
      unblock: `another push to taskfleet/${story.run}/chunk/${months}`,
    });
  });

  it("says how anybody gets the same result on their own machine", () => {
    const story = tellProposal().approve().start(months).receive(months).commit(months).floor(months, failFloor());
    const attempt = story.attemptOf(months);
    expect(render(story, { kind: "floor", chunk: months, attempt: 1 }).text).toContain(
      `npx taskfleet floor run --base ${attempt.base} --head ${attempt.head} --plan plan.json --chunk ${months}`,
    );
  });

  it("counts the violations that are not listed", () => {
    const many = failFloor(...Array.from({ length: 200 }, () => REGRESSION));
    const story = tellProposal().approve().start(months).receive(months).commit(months);
    story.floor(months, { ...many, more: 33 });
    const check = render(story, { kind: "floor", chunk: months, attempt: 1 });
    expect(check.title).toContain("233 violations");
    expect(check.text).toContain("_and 33 more_");
    expect(check.annotations).toHaveLength(200);
  });

  it("stays within GitHub's limits whatever it is given", () => {
    const huge = { ...OUT_OF_SCOPE, message: "ä".repeat(5000), hint: "ö".repeat(5000), title: "x".repeat(5000) };
    const story = tellProposal().approve().start(months).receive(months).commit(months);
    story.floor(months, failFloor(...Array.from({ length: 200 }, () => huge)));
    const check = render(story, { kind: "floor", chunk: months, attempt: 1 });
    const bytes = (text = ""): number => new TextEncoder().encode(text).length;
    expect(check.title.length).toBeLessThanOrEqual(255);
    expect(bytes(check.summary)).toBeLessThanOrEqual(65_535);
    expect(bytes(check.text)).toBeLessThanOrEqual(65_535);
    for (const annotation of check.annotations) expect(bytes(annotation.message)).toBeLessThanOrEqual(65_535);
  });

  it("tells of a candidate which chunks failed together and what comes next", () => {
    const story = tellProposal().approve();
    for (const chunk of FOUR_CHUNKS.slice(0, 2)) {
      const id = chunkId(chunk.id);
      story.start(id).receive(id).commit(id).floor(id, passFloor()).review(id, passReview(chunk));
    }
    story.record({
      kind: "CandidateCreated",
      hash: "aaaaaaaaaaaa",
      commit: fakeSha("candidate"),
      tree: fakeSha("candidate-tree"),
      base: story.state.integration?.tip ?? fakeSha("fork"),
      chunks: [months, categories],
    });
    const job = story.dispatch({ role: "floor", subject: "candidate-aaaaaaaaaaaa" });
    story.endJob(job).record({
      kind: "FloorComputed",
      job,
      subject: { kind: "candidate", hash: "aaaaaaaaaaaa" },
      commit: fakeSha("candidate"),
      result: failFloor(),
      document: "captures",
    });
    const check = render(story, { kind: "candidate", hash: "aaaaaaaaaaaa" });
    expect(check.title).toContain("2 chunks together failed: 1 violation: no regression");
    expect(check.summary).toContain("`months` and `categories` on what has landed: failed");
    expect(check.summary).toContain("They are tried again in smaller groups");
  });
});

describe("the review's check", () => {
  it("says FAIL first and annotates criteria and findings at their lines", () => {
    const check = render(tellReviewFailure(), { kind: "review", chunk: months, attempt: 1 });
    expect(check.title).toBe("FAIL: 1 of 2 criteria not met, 1 blocking finding (attempt 1 of months)");
    expect(check.annotations.map(({ path, startLine, endLine, level }) => [path, startLine, endLine, level])).toEqual([
      ["src/months.js", 7, 8, "failure"],
      ["src/months.js", 20, 22, "failure"],
      ["src/months.js", 30, 30, "warning"],
    ]);
  });

  it("links the evidence of every criterion to exactly its lines", () => {
    const check = render(tellMidRun(), { kind: "review", chunk: months, attempt: 2 });
    expect(check.title).toBe("PASS: all 2 criteria are met (attempt 2 of months)");
    expect(check.summary).toContain(
      `| 1 | The tests of months pass | ✅\u00A0met | [\`src/months.js:3-9\`](https://github.com/octo/tally/blob/${fakeSha("months-2")}/src/months.js#L3-L9) | check 1 passed<br>`,
    );
  });
});

describe("the plan's check", () => {
  it("asks for action while a person must approve, and is green afterwards", () => {
    const proposal = tellProposal();
    expect(render(proposal, { kind: "plan", rev: 1 })).toMatchObject({
      title: "Plan revision 1: waits for approval",
      conclusion: "action_required",
    });
    expect(render(proposal.approve(), { kind: "plan", rev: 1 })).toMatchObject({
      title: "Plan revision 1: approved by alice",
      conclusion: "success",
    });
  });

  it("says when a revision was replaced, and when the run was cancelled", () => {
    const story = tellMidRun();
    story.command("replan", "more");
    const draft = buildDraft(FOUR_CHUNKS);
    story.receiveDraft(draft).commitPlan(draft);
    expect(render(story, { kind: "plan", rev: 1 }).conclusion).toBe("success");
    story.command("cancel");
    expect(render(story, { kind: "plan", rev: 2 })).toMatchObject({ conclusion: "cancelled" });
    const never = tellProposal();
    never.command("replan", "more");
    never.receiveDraft(draft).commitPlan(draft);
    expect(render(never, { kind: "plan", rev: 1 })).toMatchObject({
      title: "Plan revision 1: replaced by revision 2",
      conclusion: "neutral",
    });
  });
});

describe("the acceptance's check", () => {
  it.each<[string, () => Story, string, string]>([
    [
      "the floor fails",
      () => tellAllLanded().createAccept().floorAccept(failFloor()),
      "failure",
      "The whole feature failed the floor",
    ],
    [
      "the final review fails",
      () => tellAllLanded().createAccept().floorAccept(passFloor()).reviewAccept(failReview(REPORT)),
      "failure",
      "The final review did not pass: FAIL: 1 of 2 criteria not met",
    ],
    [
      "both pass",
      () => tellAllLanded().createAccept().floorAccept(passFloor()).reviewAccept(passReview(REPORT)),
      "success",
      "The whole feature passed the floor and the final review",
    ],
    [
      "everything passes",
      tellReady,
      "success",
      "The whole feature passed the floor, the final review and the repository's own checks",
    ],
  ])("is right when %s", (_name, tell, conclusion, title) => {
    const check = render(tell(), { kind: "accept", n: 1 });
    expect(check.conclusion).toBe(conclusion);
    expect(check.title).toContain(title);
  });

  it("waits for the repository's own checks without a conclusion", () => {
    const story = tellAllLanded()
      .createAccept()
      .floorAccept(passFloor())
      .reviewAccept(passReview(REPORT))
      .commitAccept();
    const check = render(story, { kind: "accept", n: 1 });
    expect(check.status).toBe("in_progress");
    expect(check.conclusion).toBeUndefined();
    expect(check.summary).toContain("None has reported yet.");
  });

  it("is neutral once the source branch has moved on", () => {
    const story = tellReady().record({ kind: "SourceMoved", n: 1, sha: fakeSha("moved") });
    expect(render(story, { kind: "accept", n: 1 })).toMatchObject({ conclusion: "neutral" });
  });
});

describe("the run's check", () => {
  it.each<[() => Story, string, string]>([
    [tellEscalation, "action_required", "Chunk categories failed the floor 3 of 3 times."],
    [tellReady, "success", "All 4 chunks have landed. Everything was verified: the feature is ready to be merged."],
    [tellMerged, "success", "Merged into main."],
  ])("concludes what people must know", (tell, conclusion, title) => {
    expect(render(tell(), { kind: "run" })).toMatchObject({ conclusion, title });
  });

  it("says what the run waits for, as of when, and where the newest is said", () => {
    const story = tellProposal();
    story.comment("status");
    const { waits } = decide(story.state, story.now, TIMING);
    const { summary } = renderCheck(story.state, { kind: "run" }, story.now, waits);
    expect(waits.length).toBeGreaterThan(0);
    expect(summary).toMatch(
      new RegExp(`<summary>What it waits for, as of 30 Nov, .*\\(${waits.length}\\)</summary>\n\n- .*; until `, "u"),
    );
    expect(summary).toContain(`The [status comment](${story.state.comments["status"]?.url}) has the newest ones.`);
    const ended = tellMerged().record({ kind: "RunEnded", outcome: "merged" });
    expect(renderCheck(ended.state, { kind: "run" }, ended.now, waits).summary).not.toContain("What it waits for");
  });

  it("names every question where there are several, as the status comment does", () => {
    const story = tellEscalation().record({ kind: "IssueInterfered", what: "closed", n: 1 });
    const { summary } = render(story, { kind: "run" });
    expect(summary).toContain("1 more question below");
    expect(summary.match(/^- 🙋 /gmu)).toHaveLength(2);
  });

  it("is cancelled with the run", () => {
    const story = tellMidRun();
    story.command("cancel");
    expect(render(story, { kind: "run" }).conclusion).toBe("cancelled");
  });
});

it("says that nothing is known about a subject that is gone", () => {
  const subjects: readonly CheckSubject[] = [
    { kind: "plan", rev: 9 },
    { kind: "floor", chunk: chunkId("gone"), attempt: 1 },
    { kind: "review", chunk: chunkId("gone"), attempt: 1 },
    { kind: "candidate", hash: "bbbbbbbbbbbb" },
    { kind: "accept", n: 9 },
  ];
  for (const subject of subjects)
    expect(render(tellMidRun(), subject)).toMatchObject({ status: "completed", conclusion: "neutral" });
});
