import { describe, expect, it } from "@jest/globals";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { renderNeedComment } from "../../src/messages/need-comment.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildDraft } from "../engine-stories/plans.ts";
import { failFloor, failReview, passFloor, passReview, voidReview } from "../engine-stories/results.ts";
import { FOUR_CHUNKS, MONTHS, REPORT, tellAllLanded, tellEscalation, tellProposal } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { readText, renderHtml } from "./render-html.ts";

/** The only question that is open. */
function render(story: Story, now = story.now): string {
  const needs = deriveNeeds(story.state, now);
  expect(needs).toHaveLength(1);
  const [need] = needs;
  return need === undefined ? "" : renderNeedComment(story.state, need);
}

describe("an escalation", () => {
  const text = render(tellEscalation());

  it("tells the history of the failure, one row per attempt", () => {
    const rows = renderHtml(text).match(/<tr>/gu) ?? [];
    expect(rows).toHaveLength(4);
    expect(text).toContain("| 1 | commit | refused: scope: the file is not in the chunk's list (`src/table.js`) |");
    expect(text).toContain("| 3 | floor | floor failed: scope:");
    expect(text.match(/\| \[open\]\(https:\/\/github\.com\/octo\/tally\//gu)).toHaveLength(3);
  });

  it("says what waits because of it, and that the rest goes on", () => {
    expect(readText(text)).toContain("Because of it, budgets and report wait. Everything else goes on.");
  });

  it("says in words that every try failed in the same place", () => {
    expect(text).toContain("**Cause:** every try fails in the same place: the file is not in the chunk's list.");
  });

  it("offers the ways on and recommends one", () => {
    const commands = ["/retry categories", "/replan <", "/take categories", "/skip categories", "/cancel"];
    for (const command of [...commands, "/override scope <why>", "/override no-regression <why>"])
      expect(text).toContain(`- \`${command}`);
    expect(text).toContain("**What I would do:** `/replan`");
  });

  it("offers another agent where there is one", () => {
    const story = tellProposal({ config: { agents: [{ name: "default" }, { name: "backup" }] } }).approve();
    const id = chunkId("months");
    for (let n = 0; n < 2; n += 1) story.start(id).endJob(story.attemptOf(id).job, "unusable", "it printed nothing");
    const other = render(story);
    expect(other).toContain("Chunk `months`: its agent gave nothing usable 2 of 2 times");
    expect(other).toContain("**What I would do:** `/assign months backup`");
  });

  it("names unclear criteria when reviews keep failing, disagreement when integration does", () => {
    const id = chunkId("months");
    const reviewed = tellProposal().approve();
    for (let n = 0; n < 3; n += 1)
      reviewed.start(id).receive(id).commit(id).floor(id, passFloor()).review(id, failReview(MONTHS));
    expect(render(reviewed)).toContain("criterion “months refuses an empty input” is not met");
    expect(render(reviewed)).toContain("**Cause:** the floor passes, but reviewers find");

    const voided = tellProposal().approve().start(id).receive(id).commit(id).floor(id, passFloor());
    for (let n = 0; n < 3; n += 1) voided.review(id, voidReview());
    expect(render(voided)).toContain("**Cause:** reviewers returned verdicts whose evidence is not in the code");
  });
});

describe("no plan", () => {
  it("passes the planner's questions on, numbered", () => {
    const text = render(
      new Story().intake().bindBaseline().askQuestions("Per month or per year?", "In which currency?"),
    );
    expect(text).toContain("### 🙋 @alice: The planner has questions before it can plan");
    expect(readText(text)).toMatch(/Per month or per year\?\s+In which currency\?/u);
    expect(text).toContain("`/replan <your answers>`");
  });

  it("shows the rounds of the plan gate and the four ways on", () => {
    const story = new Story().intake().bindBaseline();
    for (let round = 1; round <= 3; round += 1) {
      story
        .receiveDraft(buildDraft(FOUR_CHUNKS))
        .reviewPlan("feasibility")
        .reviewPlan("completeness", [
          {
            severity: "blocking",
            chunk: "report",
            title: "No chunk prints the total",
            evidence: "The issue asks for it",
          },
        ])
        .reviewPlan("scope");
    }
    const text = render(story);
    expect(text).toContain("No plan yet: the plan did not pass its reviewers in 3 rounds");
    expect(text.match(/\| valid, 4 chunks \| ✅ \| ❌ 1 \| ✅ \|/gu)).toHaveLength(3);
    expect(text).toContain(
      "| completeness | blocking | `report` | No chunk prints the total | The issue asks for it |",
    );
    for (const way of ["revise:", "simplify:", "override:", "cancel:"]) expect(text).toContain(way);
  });

  it("shows why a planner's drafts were not valid", () => {
    const text = render(
      new Story().intake().bindBaseline().refuseDraft("/chunks/0/id is missing").refuseDraft("/chunks is empty"),
    );
    expect(text).toContain("| 1 | not valid: /chunks/0/id is missing |");
    expect(text).toContain("the planner wrote no valid plan in 2 tries");
  });

  it("says what keeps the baseline from being captured", () => {
    const story = new Story().intake();
    for (let n = 0; n < 3; n += 1) {
      const job = story.dispatch({ role: "baseline" });
      story.endJob(job).record({ kind: "BaselineRefused", job, problems: ["`npm test` ends with 127"] });
    }
    const text = render(story);
    expect(text).toContain("- `npm test` ends with 127");
    expect(text).toContain("([last run](https://github.com/octo/tally/actions/runs/");
  });
});

/** People are asked at once, instead of two fix rounds first. */
const NO_FIXES = { config: { limits: { fix_rounds: 0 } } };

describe("a feature that is not accepted", () => {
  it("lists what the floor found on the whole feature", () => {
    const text = render(tellAllLanded(NO_FIXES).createAccept().floorAccept(failFloor()));
    expect(text).toContain("The whole feature is not accepted: the floor failed on the whole feature");
    expect(text).toContain("- `/override <gate> <why>`: overrule it and go on");
    expect(text).toContain("**Gate 2, no regression** (1)");
  });

  it("lists what the final review found", () => {
    const story = tellAllLanded(NO_FIXES).createAccept().floorAccept(passFloor()).reviewAccept(failReview(REPORT));
    expect(render(story)).toContain("- **Criterion 2 is not met** at [`src/report.js:7-8`](");
  });

  it("lists the repository's own checks, the failed ones first", () => {
    const story = tellAllLanded(NO_FIXES)
      .createAccept()
      .floorAccept(passFloor())
      .reviewAccept(passReview(REPORT))
      .commitAccept();
    story.record({
      kind: "CiGathered",
      n: 1,
      commit: fakeSha("accepted-1"),
      state: "fail",
      rows: [
        { name: "lint", state: "pass", detail: "success", url: "" },
        { name: "test", state: "fail", detail: "failure", url: "javascript:alert(1)" },
      ],
    });
    const text = render(story);
    expect(text.indexOf("| test | ❌ failed")).toBeLessThan(text.indexOf("| lint | ✅ passed"));
    expect(text).toContain("| test | ❌ failed");
    expect(text).not.toContain("javascript");
  });

  it("names a conflict with the source branch", () => {
    const story = tellAllLanded(NO_FIXES);
    story.record({ kind: "AcceptConflicted", n: 1, source: fakeSha("source"), message: "src/report.js" });
    expect(render(story)).toContain("the source branch and the feature changed the same lines");
  });
});

describe("what is asked besides", () => {
  it("says that the budget is used up, and names only what makes room", () => {
    const story = tellProposal({ config: { budget: { agent_runs: 4 } } }).approve();
    const text = render(story);
    expect(text).toContain("No further agent may start: the budget of 4 agent runs is used up");
    expect(text).toContain("no final reviewer either: as it is, the feature cannot be accepted, whatever is skipped");
    expect(text).toContain("`/cancel`, raise `budget` in the configuration and set the label again.");
    expect(text).not.toContain("`/skip");
  });

  it("has people wait for what an agent at work leaves of its reserve, and say who shall have it", () => {
    const known = tellProposal().approve().state.spent.tokens;
    // Room for one agent, and for nobody beside it.
    const budget = { tokens: known + 500_000, reserve_tokens: 300_000 };
    const story = tellProposal({ config: { budget } }).approve().start(chunkId("months"));
    const text = render(story);
    expect(text).toContain("What it leaves of that is free again when it ends");
    expect(text).toContain("- `/skip <chunk>`: leave what comes free to the rest and to the final review.");
    expect(text).toContain("wait for the agents at work; where that is not enough, `/cancel`, raise `budget`");
    const late = tellProposal({ config: { budget: { ...budget, tokens: 9_000_000, wall_minutes: 1 } } }).approve();
    expect(render(late.start(chunkId("months")))).not.toContain("free again");
  });

  it("repeats what GitHub says about a setting, and names the effect in words", () => {
    const story = new Story().record({
      kind: "EffectFailed",
      effect: "integration",
      failure: "misconfigured",
      message: "a ruleset forbids creating `taskfleet/**`",
      ambiguous: false,
      retryAfterMs: null,
    });
    const text = render(story);
    expect(text).toContain("This keeps failing: creating the integration branch (`integration`).");
    expect(text).toContain("> a ruleset forbids creating `taskfleet/**`");
  });

  it("asks nothing of a run that goes on by itself", () => {
    expect(deriveNeeds(tellProposal().approve().state, 0)).toEqual([]);
  });
});
