import { describe, expect, it } from "@jest/globals";
import { renderChunkPull } from "../../src/messages/chunk-pull.ts";
import { renderFeaturePull } from "../../src/messages/feature-pull.ts";
import { renderReport } from "../../src/messages/report-comment.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { tellEscalation, tellMerged, tellMidRun, tellProposal, tellReady } from "../engine-stories/stories.ts";
import { readText } from "./render-html.ts";

describe("the report", () => {
  it("says that all chunks completed successfully when they did", () => {
    const text = renderReport(tellMerged().state);
    expect(text).toMatch(/^### ✅ All 4 chunks completed successfully, merged into `main`\./u);
    expect(text).toMatch(
      /\| `months`: Group entries by month \| ✅ landed \| 1 \| #\d+ · \[floor\]\(.*\[review\]\(.*\[commit\]\(/u,
    );
  });

  it("lists what reviewers let pass as follow-ups, with the lines", () => {
    expect(renderReport(tellMerged().state)).toContain(
      "- `report`: The error path of report is thin ([`src/report.js:9`](",
    );
  });

  it("tells who decided what, the cost, how long it took and where the evidence is", () => {
    const text = readText(renderReport(tellMerged().state));
    expect(text).toContain("alice: /approve");
    expect(text).toMatch(/13 agent runs · 559,000 tokens · \$2\.73 · took \d+ minutes/u);
    expect(text).toContain(`Merged commit: ${fakeSha("accepted-1").slice(0, 10)}`);
  });

  it("says of a run that was read back that it cannot list what was overruled before", () => {
    const words = "what was overruled before is not listed here";
    expect(renderReport(tellMerged().state)).not.toContain(words);
    const story = tellReady().record({ kind: "RunRebuilt", countBase: 1_000 });
    const text = renderReport(story.state);
    expect(text).toMatch(/#### Overruled gates\n\nThe App lost its database during this run: /u);
    expect(text).toContain(words);
  });

  it("counts what was skipped", () => {
    const story = tellEscalation();
    story.command("skip", "categories");
    story.record({ kind: "FeatureMerged", commit: fakeSha("m"), how: "person", verified: false });
    const text = renderReport(story.state);
    expect(text).toContain("### ✅ 1 of 4 chunks landed, merged into `main`.");
    expect(text).toContain("| `categories`: Let entries have a category | ➖ skipped |");
    expect(text).toContain("`/skip categories`");
  });

  it("says so when what was merged is not what was verified", () => {
    const story = tellReady().record({ kind: "FeatureMerged", commit: fakeSha("m"), how: "person", verified: false });
    expect(renderReport(story.state)).toContain("⚠️ **Landed unverified.** A person merged it");
    expect(renderReport(tellMerged().state)).not.toContain("unverified");
  });

  it("tells what became of every chunk of a cancelled run", () => {
    const story = tellMidRun();
    story.command("cancel");
    const text = renderReport(story.state);
    expect(text).toContain("### 🛑 Cancelled: /cancel by alice. 1 of 4 chunks had landed.");
    expect(text).toContain("| `report`: Print the monthly report | not started | 0 |");
  });
});

describe("the feature pull request", () => {
  it("closes the issue and shows plan, graph, progress and evidence", () => {
    const story = tellMidRun();
    const { title, body } = renderFeaturePull(story.state, story.now);
    expect(title).toBe("Budgets per category");
    expect(body).toContain("Closes #7");
    expect(body).toContain('n0["months<br/>Group entries by month"]:::landed');
    expect(body).toContain('n1["categories<br/>Let entries have a category"]:::working');
    expect(body).toContain("| `months`: Group entries by month | ✅ landed | 2/3 |");
    expect(body).toContain(`/blob/${fakeSha("plan-1")}/.taskfleet/7-budgets-per-category/plan.v1.json)`);
  });

  it("shows what stands still because of an escalation", () => {
    const story = tellEscalation();
    const { body } = renderFeaturePull(story.state, story.now);
    for (const node of ["n1", "n2", "n3"]) expect(body).toMatch(new RegExp(`${node}\\[.*\\]:::stuck`, "u"));
  });

  it("has a title of one line that GitHub takes", () => {
    const story = tellProposal({ title: `@victim ${"long ".repeat(100)}` });
    const { title } = renderFeaturePull({ ...story.state, revisions: [] }, story.now);
    expect(title.length).toBeLessThanOrEqual(256);
    expect(title).not.toContain("@victim");
  });
});

describe("a chunk's pull request", () => {
  it("says what is asked for, and that the agent's words are not verified", () => {
    const { title, body } = renderChunkPull(tellMidRun().state, chunkId("months"), 1);
    expect(title).toBe("months: Group entries by month");
    expect(body).toContain("Chunk `months` of issue #7, part of #8.");
    expect(body).toContain("- months refuses an empty input");
    expect(body).toContain("The agent says (not verified): Wrote months.");
    expect(body).not.toMatch(/closes|fixes/iu);
  });
});
