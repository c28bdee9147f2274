import { describe, expect, it } from "@jest/globals";
import { decide } from "../../src/engine/decide.ts";
import { renderAnswerComment } from "../../src/messages/answer-comment.ts";
import { renderClosedComment } from "../../src/messages/closed-comment.ts";
import { renderConfigProblems } from "../../src/messages/config-comment.ts";
import { renderPreflightComment } from "../../src/messages/preflight-comment.ts";
import { renderStrangerComment } from "../../src/messages/stranger-comment.ts";
import { renderUnfinishedComment } from "../../src/messages/unfinished-comment.ts";
import type { RunKey } from "../../src/contracts/ids.ts";
import { chunkId } from "../engine-stories/names.ts";
import { tellMidRun, tellProposal } from "../engine-stories/stories.ts";
import { listCommandLines, listMentions, readText, renderHtml } from "./render-html.ts";

const TIMING = { staleReadMs: 120_000 };

describe("an answer", () => {
  it("answers all commands of one comment, accepted and refused ones", () => {
    const story = tellProposal();
    const comment = 5000;
    const on = story.state.run.issue;
    story.record(
      { kind: "CommandReceived", comment, line: 0, on, by: "bob", name: "approve", args: "ffff" },
      { kind: "CommandReceived", comment, line: 1, on, by: "bob", name: "pause", args: "" },
    );
    const text = renderAnswerComment(story.state, comment, []);
    expect(text).toMatch(/^@bob:\n/u);
    expect(text).toContain("- ❌ `/approve ffff`: `ffff` is not how the hash of revision 1 begins");
    expect(text).toContain("- ✅ `/pause`: Paused: nothing new is dispatched or landed until `/resume`.");
    expect(listCommandLines(text)).toEqual([]);
  });

  it("shows where the run stands on /status", () => {
    const story = tellMidRun();
    const comment = story.command("status");
    const { waits } = decide(story.state, story.now, TIMING);
    const text = readText(renderAnswerComment(story.state, comment, waits));
    expect(text).toContain("1 of 4 chunks has landed; under way: categories.");
    expect(text).toContain("It waits for:");
    expect(text).toContain("Cost so far: 9 agent runs");
  });

  it("shows the commands on /help and after an unknown one", () => {
    const story = tellMidRun();
    for (const name of ["help", "unknown"] as const) {
      const comment = story.command(name, "/frobnicate");
      const text = renderAnswerComment(story.state, comment, []);
      expect(text).toContain("| `/replan [what should be different]` |");
      expect(listCommandLines(text)).toEqual([]);
    }
  });
});

describe("a pull request that is closed without landing", () => {
  it.each([
    [null, "somebody with write access dropped the chunk `months`", "`/retry months`"],
    [3, "plan revision 3 does not contain the chunk `months` any more", "`/replan`"],
  ])("says who dropped its chunk, and how it comes back (revision %s)", (rev, why, back) => {
    const text = renderClosedComment({ chunk: chunkId("months"), rev });
    expect(text).toContain(`Reason: ${why}.`);
    expect(text).toContain(back);
    expect(listCommandLines(text)).toEqual([]);
  });

  it("names the one that was merged instead", () => {
    const text = renderClosedComment({ chunk: chunkId("months"), rev: null, merged: 30 });
    expect(text).toContain("`months` has landed with #30, which somebody merged by hand");
    expect(text).not.toContain("dropped");
  });

  it.each([
    [9, "the feature was merged with #9 before the chunk `months` had landed"],
    [null, "the feature was merged before the chunk `months` had landed"],
  ])("says that the feature was merged without it (as %s)", (feature, why) => {
    const text = renderClosedComment({ chunk: chunkId("months"), rev: null, feature });
    expect(text).toContain(`Reason: ${why}.`);
    expect(text).not.toContain("dropped");
  });
});

describe("a stranger", () => {
  it("is answered politely, and nobody else is named", () => {
    for (const what of ["label", "command"] as const) {
      const text = renderStrangerComment("mallory", what);
      expect(text).toMatch(/^Thank you, @mallory\./u);
      expect(listMentions(text)).toEqual(["mallory"]);
    }
  });

  it("is shown without a mention when the name is no login", () => {
    expect(renderStrangerComment("dependabot[bot]", "label")).toContain("Thank you, `dependabot[bot]`.");
    expect(listMentions(renderStrangerComment("a b @victim", "command"))).toEqual([]);
  });
});

describe("preflight", () => {
  it("lists everything that is missing with the reason and the step that mends it", () => {
    const text = renderPreflightComment([
      { what: "`.github/workflows/taskfleet.yml` is missing", why: "work runs there", fix: "run `taskfleet init`" },
      { what: "Actions are disabled | here", why: "nothing can run", fix: "turn them on" },
    ]);
    expect(text).toContain("### 🛑 Not started: 2 things are in the way");
    expect(renderHtml(text).match(/<tr>/gu)).toHaveLength(3);
    expect(renderHtml(text)).toContain("<code>taskfleet init</code>");
    expect(renderPreflightComment([{ what: "a", why: "b", fix: "c" }])).toContain("1 thing is in the way");
  });
});

describe("a label that waits for the end of a former run", () => {
  it("is told what keeps that run, in words that do nothing", () => {
    const failures = [{ effect: "delete:taskfleet/7-tally/integration", message: "<!-- x --> @victim\n/approve" }];
    const text = renderUnfinishedComment("7-tally" as RunKey, failures);
    expect(readText(renderHtml(text))).toContain("deleting a branch: <!-- x --> @");
    expect([listMentions(text), listCommandLines(text)]).toEqual([[], []]);
    expect(renderUnfinishedComment("7-tally" as RunKey, [])).not.toContain("GitHub refuses");
  });
});

describe("a broken configuration", () => {
  it("names the line and the place of every problem", () => {
    const text = renderConfigProblems([
      { pointer: "/agents/0/name", message: 'the name "a|b" is given twice', line: 4 },
      { pointer: "", message: "the file is no YAML" },
    ]);
    expect(text).toContain("`.github/taskfleet.yml` has 2 problems");
    expect(text).toContain("| 4 | `/agents/0/name` |");
    expect(text).toContain("| the whole file |");
    expect(renderHtml(text).match(/<tr>/gu)).toHaveLength(3);
  });
});
