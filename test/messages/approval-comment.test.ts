import { describe, expect, it } from "@jest/globals";
import { renderApprovalComment } from "../../src/messages/approval-comment.ts";
import { deriveWorstCase } from "../../src/messages/words/worst-case.ts";
import { configSchema } from "../../src/contracts/config.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { CATEGORIES, FOUR_CHUNKS, MONTHS, REPORT, tellMidRun, tellProposal } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { readText, renderHtml } from "./render-html.ts";

describe("asking for approval", () => {
  const story = tellProposal();
  const text = renderApprovalComment(story.state, 1);

  it("asks the person who set the label and says exactly what to type", () => {
    const hash = story.state.revisions[0]?.hash ?? "";
    expect(text).toContain("### 🙋 @alice, plan revision 1 waits for approval");
    expect(text).toContain(`\`\`\`\n/approve ${hash.slice(0, 12)}\n\`\`\``);
  });

  it("says why a person must decide", () => {
    expect(readText(text)).toContain("A person must approve because the approval policy is human.");
    const risky = new Story({ config: { plan: { approval: "risk" } } }).propose(FOUR_CHUNKS, {
      open_questions: ["Are budgets per year or per month?"],
    });
    const other = readText(renderApprovalComment(risky.state, 1));
    expect(other).toContain("A person must approve because something in the task is ambiguous.");
    expect(other).toContain("Open question: Are budgets per year or per month?");
  });

  it("shows what will be built: the graph, and every chunk with its files", () => {
    expect(text).toContain("```mermaid\nflowchart LR");
    expect(text).toContain("  n2 --> n3");
    expect(text).toContain("| `report` | Print the monthly report | `months` and `budgets` |");
  });

  it("shows the shell commands that will run, letter by letter", () => {
    expect(text).toContain("The 5 commands the checks run");
    expect(text).toContain("# The tests of report pass\nnode --test test/report.test.js");
    expect(text).toContain("# All tests pass\nnpm test");
    const check = { desc: "It refuses", run: "node bin.js\nexit 1", cwd: "packages/a", expect_exit: 1 };
    const one = new Story().propose([buildChunk("a", [], { checks: [check] })]);
    expect(renderApprovalComment(one.state, 1)).toContain(
      "# It refuses (in packages/a) (must exit 1)\nnode bin.js\nexit 1",
    );
  });

  it("tells the worst case, or the budget where it is lower", () => {
    expect(readText(text)).toContain("9 agent runs if nothing fails");
    expect(readText(text)).toContain("At most 95 agent runs for this revision if everything fails as often as it may");
    const capped = tellProposal({ config: { budget: { agent_runs: 30 } } });
    expect(readText(renderApprovalComment(capped.state, 1))).toContain(
      "At most 30 agent runs in the whole run, by the configured budget. Without it: 95 for this revision",
    );
  });

  it("names what comes on top of the worst case, and counts reviewers that confirm a failed review", () => {
    expect(readText(text)).toContain(
      "and, where the whole feature is found wanting, up to 2 revisions that mend it and one that plans anew, each with up to 3 drafts and 3 reviewers of each, the chunks it changes and a final review.",
    );
    const never = tellProposal({ config: { limits: { fix_rounds: 0 } } });
    expect(readText(renderApprovalComment(never.state, 1))).not.toContain("that mend it");
    // Two more opinions on each of the five attempts of a chunk that may reach a reviewer.
    const confirmed = tellProposal({ config: { review: { confirm: 2 } } });
    expect(readText(renderApprovalComment(confirmed.state, 1))).toContain(`At most ${95 + 4 * 5 * 2} agent runs`);
  });

  it("says what the floor cannot check, and what lint and plan reviewers noticed", () => {
    const draft = buildDraft([MONTHS, CATEGORIES]);
    const other = new Story()
      .intake()
      .bindBaseline(["`coverage` is not configured"], ["3 tests fail already"])
      .receiveDraft(draft, ["chunk `months`: the brief is short"])
      .reviewPlan("feasibility")
      .reviewPlan("completeness", [
        { severity: "warning", chunk: "months", title: "Leap years", evidence: "The brief does not name them" },
      ])
      .reviewPlan("scope")
      .commitPlan(draft)
      .openFeature();
    const shown = readText(renderApprovalComment(other.state, 1));
    expect(shown).toContain("coverage is not configured");
    expect(shown).toContain("chunk months: the brief is short");
    expect(shown).toContain("completeness, months: Leap years. The brief does not name them");
    expect(shown).toContain("3 tests fail already");
  });

  it("shows a later revision as what it changes", () => {
    const later = tellMidRun();
    later.command("replan", "also per year");
    const draft = buildDraft([
      MONTHS,
      CATEGORIES,
      { ...REPORT, deps: ["months"], brief: "Print months and years." },
      buildChunk("years", ["months"]),
    ]);
    later.receiveDraft(draft).commitPlan(draft);
    const shown = readText(renderApprovalComment(later.state, 2));
    expect(shown).toContain("Plan diff: revision 1 → 2");
    expect(shown).toMatch(/Added\s+years Build years/u);
    expect(shown).toMatch(/Removed\s+budgets/u);
    expect(shown).toMatch(/pending again\s+report Print the monthly report: brief, deps/u);
    expect(renderHtml(renderApprovalComment(later.state, 2))).not.toMatch(/<h[12]>/u);
  });

  it("points at the plan file when the plan is too large for a comment", () => {
    const chunks = Array.from({ length: 300 }, (_, index) =>
      buildChunk(`chunk-${index}`, [], {
        checks: [{ desc: "It works", run: `node check.js ${"argument ".repeat(30)}` }],
      }),
    );
    const large = renderApprovalComment(new Story().propose(chunks).state, 1);
    expect(large.length).toBeLessThanOrEqual(60_000);
    expect(large.includes("\n/approve ")).toBe(true);
    expect(large.endsWith("the plan file has all of it._")).toBe(true);
  });
});

describe("the worst case", () => {
  it("is what the limits allow", () => {
    const once = configSchema.parse({ limits: { tries: 1, unusable: 1 } });
    // One implementer and one reviewer (with two spare ones), and the final reviewer with two spare ones.
    expect(deriveWorstCase(1, once)).toEqual({ atLeast: 3, atMost: 1 + 3 + 3 });
  });
});
