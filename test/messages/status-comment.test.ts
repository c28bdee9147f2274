import { describe, expect, it } from "@jest/globals";
import { decide } from "../../src/engine/decide.ts";
import { renderStatusComment } from "../../src/messages/status-comment.ts";
import { chunkId } from "../engine-stories/names.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { passFloor, passReview } from "../engine-stories/results.ts";
import {
  tellAllLanded,
  tellEscalation,
  tellMerged,
  tellMidRun,
  tellProposal,
  tellReady,
  tellReviewFailure,
} from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { readText } from "./render-html.ts";

function render(story: Story): string {
  const { waits } = decide(story.state, story.now, { staleReadMs: 120_000 });
  return renderStatusComment(story.state, waits, story.now);
}

function readFirstLine(story: Story): string {
  return render(story).split("\n")[0] ?? "";
}

describe("the status comment", () => {
  it.each<[string, () => Story, string]>([
    ["a run that begins", () => new Story(), "### ⏳ Starting: creating the integration branch."],
    ["a plan being written", () => new Story().intake(), "### ⏳ Having a plan written."],
    ["a proposal", tellProposal, "### 🙋 Plan revision 1 waits for approval."],
    ["work under way", tellMidRun, "### ⏳ 1 of 4 chunks has landed; under way: `categories`."],
    ["a failed review", tellReviewFailure, "### ⏳ 0 of 4 chunks have landed; to be tried again: `months`."],
    ["an escalation", tellEscalation, "### 🙋 Chunk `categories` failed the floor 3 of 3 times."],
    ["all chunks landed", tellAllLanded, "### ⏳ All 4 chunks have landed. Every check runs on the whole feature."],
    [
      "a ready feature",
      tellReady,
      "### 🙋 All 4 chunks have landed. Everything was verified: the feature is ready to be merged.",
    ],
    ["a merged feature", tellMerged, "### ✅ Merged into `main`."],
  ])("says first of %s how it stands", (_name, tell, line) => {
    expect(readFirstLine(tell())).toBe(line);
  });

  it("says what is needed, from whom, and where it was asked", () => {
    const story = tellEscalation().comment("need:escalation:categories:3");
    const url = story.state.comments["need:escalation:categories:3"]?.url ?? "";
    expect(render(story)).toContain(
      `**Needed:** \`/replan\`, \`/retry categories\` or \`/skip categories\` by somebody with write access ([go there](${url}))`,
    );
  });

  it("names who paused and who cancelled", () => {
    const paused = tellMidRun();
    paused.command("pause", "", "bob");
    expect(readFirstLine(paused)).toBe("### ⏸ Paused by bob: nothing new starts or lands.");
    const cancelled = tellMidRun();
    cancelled.command("cancel", "", "bob");
    expect(readFirstLine(cancelled)).toBe("### 🛑 Cancelled: /cancel by bob.");
  });

  it("shows each chunk with its try, its last result and its pull request", () => {
    const text = render(tellMidRun());
    expect(text).toContain(
      "| `months`: Group entries by month | ✅ landed | 2/3 | floor and review passed ([attempt 2](",
    );
    expect(text).toContain(
      "| `categories`: Let entries have a category | ⏳ in review | 1/3 | floor passed, in review",
    );
    expect(text).toContain("| `report`: Print the monthly report | ⏸ waits for its dependencies |");
    expect(render(tellEscalation())).toMatch(
      /`categories`.*🙋 needs a person \| 3\/3 \| floor failed: scope: .* and 1 more/u,
    );
  });

  it("does not count what costs no try", () => {
    const story = tellProposal().approve();
    const id = chunkId("months");
    story.start(id).endJob(story.attemptOf(id).job, "external", "the model key is missing");
    story.start(id);
    expect(render(story)).toMatch(/`months`.*\| 1\/3 \| under way \(\[attempt 2\]/u);
  });

  it("names the plan with its hash and who approved it", () => {
    const story = tellMidRun();
    const hash = story.state.revisions[0]?.hash.slice(0, 12) ?? "";
    expect(readText(render(story))).toContain(`Plan: revision 1 (${hash}), approved by alice`);
  });

  it("says what it waits for and when it looks again", () => {
    const text = readText(render(tellMidRun()));
    expect(text).toContain("What it waits for (1)");
    expect(text).toMatch(
      /reviewing categories \(run\) since 30 Nov, \d\d:\d\d UTC; until the run ends.*, at the latest 30 Nov/u,
    );
  });

  it("tells the cost, and of which runs it is not known", () => {
    expect(render(tellMidRun())).toContain("- **Cost so far:** 9 agent runs · 344,000 tokens · $1.68 (1 at work)");
    const story = tellProposal({ config: { budget: { agent_runs: 40 } } }).approve();
    const id = chunkId("months");
    story.start(id).endJob(story.attemptOf(id).job, "lost", "it never ran");
    expect(render(story)).toContain("5 agent runs of 40");
    expect(render(story)).toContain("(the usage of 1 run is not known)");
  });

  it("is the same text as long as the state is the same", () => {
    const story = tellMidRun();
    const { waits } = decide(story.state, story.now, { staleReadMs: 120_000 });
    const later = story.now + 20 * 60_000;
    expect(renderStatusComment(story.state, waits, later)).toBe(renderStatusComment(story.state, waits, story.now));
  });

  it("offers no commands once the run has ended", () => {
    const story = tellMerged().record({ kind: "RunEnded", outcome: "merged" });
    expect(render(tellMerged())).toContain("<summary>Commands</summary>");
    expect(render(story)).not.toContain("<summary>");
  });

  it("counts landed chunks instead of listing them when there are very many", () => {
    const chunks = Array.from({ length: 70 }, (_, index) => buildChunk(`c${index}`));
    const story = new Story().propose(chunks).approve();
    for (const chunk of chunks.slice(0, 20)) {
      const id = chunkId(chunk.id);
      story.start(id).receive(id).commit(id).floor(id, passFloor()).review(id, passReview(chunk)).land(id);
    }
    const text = render(story);
    expect(text).toContain("_Not shown: 20 that have landed (70 chunks in all)._");
    expect(text.match(/^\| `c\d+`/gmu)).toHaveLength(50);
  });
});
