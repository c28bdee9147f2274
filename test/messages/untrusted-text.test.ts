import { describe, expect, it } from "@jest/globals";
import type { Chunk } from "../../src/contracts/plan.ts";
import { chunkId } from "../engine-stories/names.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { buildEvidence, failFloor, failReview, passFloor } from "../engine-stories/results.ts";
import { tellMerged, tellProposal } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { renderEverything } from "./every-message.ts";
import { listCommandLines, listLinks, listMentions, renderHtml, stripCode } from "./render-html.ts";

/** All that somebody might try, in one line and in several. */
const HOSTILE =
  "@victim | <img src=x onerror=alert(1)> `|` #1 fixes #2 [x](https://evil.example) <!-- --> ![i](https://evil.example/i.png) </details> \u202egnp ```";
const HOSTILE_LINES = `/cancel\n\n\`\`\`\n/approve\n# Heading\n| a | b |\n| --- | --- |\n${HOSTILE}\n</details>\n/cancel @victim`;

function tellHostile(): Story {
  const chunk: Chunk = buildChunk("api", [], {
    title: HOSTILE,
    brief: HOSTILE_LINES,
    files_touched: ["src/a|b`c.js", "test/@victim.test.js"],
    checks: [{ desc: HOSTILE, run: `echo "@victim"\necho \u202e; rm -rf /` }],
    assertions: [HOSTILE_LINES],
  });
  const id = chunkId("api");
  const other = buildChunk("ui", ["api"]);
  const draft = {
    title: HOSTILE,
    goal: HOSTILE_LINES,
    requirements: [{ text: HOSTILE_LINES, chunks: ["api"] }],
    open_questions: [HOSTILE],
    unassignable: [{ chunk: "ui", reason: HOSTILE_LINES }],
  };
  const story = new Story({ title: HOSTILE }).propose([chunk, other], draft).approve();
  const violation = {
    gate: 2,
    rule: "regression",
    message: HOSTILE_LINES,
    path: "src/a|b`c.js",
    line: 1,
    was: HOSTILE,
    now: HOSTILE_LINES,
    hint: HOSTILE,
  } as const;
  const finding = {
    severity: "blocking",
    title: HOSTILE,
    expected: HOSTILE_LINES,
    found: HOSTILE,
    where: buildEvidence("src/a|b`c.js", 1, 2),
  } as const;
  story.start(id).receive(id, [violation], HOSTILE_LINES);
  story.start(id).receive(id, [], HOSTILE_LINES).commit(id).floor(id, failFloor(violation));
  story.start(id).receive(id).commit(id).floor(id, passFloor());
  const failed = failReview(chunk, [finding, { ...finding, severity: "warning" }]);
  story.review(id, { ...failed, summary: HOSTILE_LINES, warnings: [HOSTILE] });
  story.start(id).endJob(story.attemptOf(id).job, "unusable", HOSTILE_LINES);
  story.start(id).endJob(story.attemptOf(id).job, "unusable", HOSTILE_LINES);
  story.command("unknown", HOSTILE_LINES, "mallory");
  story.command("approve", HOSTILE, "alice");
  story.command("retry", HOSTILE_LINES);
  story.command("status");
  story.record({
    kind: "EffectFailed",
    effect: "pull:api:1",
    failure: "misconfigured",
    message: HOSTILE_LINES,
    ambiguous: false,
    retryAfterMs: null,
  });
  return story;
}

/** People we name on purpose: who started the run, who commanded. */
const OURS = new Set(["alice", "mallory"]);

describe("untrusted text in messages", () => {
  const hostile = renderEverything(tellHostile());
  /** Titles are plain text to GitHub. */
  const bodies = [...hostile].filter(([name]) => !name.includes("title"));

  it.each([...hostile])("notifies nobody by %s", (_name, text) => {
    expect(listMentions(text).filter((login) => !OURS.has(login))).toEqual([]);
  });

  it.each(bodies)("links nothing foreign in %s", (_name, text) => {
    expect(listLinks(text).filter((url) => !url.startsWith("https://github.com/octo/tally"))).toEqual([]);
    expect(renderHtml(text)).not.toContain("<img");
  });

  it.each([...hostile])("writes no line that is a command in %s", (_name, text) => {
    expect(listCommandLines(text)).toEqual([]);
  });

  it.each(bodies)("keeps the structure of %s", (_name, text) => {
    const html = renderHtml(text);
    for (const table of html.split("<table>").slice(1)) {
      const rows = table
        .split("<tr>")
        .slice(1)
        .map((row) => row.split(/<t[dh][ >]/u).length - 1);
      expect(new Set(rows).size).toBe(1);
    }
    expect((html.match(/<details>/gu) ?? []).length).toBe((text.match(/^<details>$/gmu) ?? []).length);
  });

  it("shows a direct answer of a model as text, with its code and lists", () => {
    const story = new Story().intake().bindBaseline();
    const job = story.dispatch({ role: "plan" });
    story.endJob(job).record({
      kind: "AnswerGiven",
      job,
      text: `It is in \`src/money.js\`:\n\n- @victim <b>bold</b>\n\n\`\`\`js\n/cancel\nadd(1, 2)\n\`\`\`\n\n${HOSTILE_LINES}`,
    });
    const text = renderEverything(story).get("direct answer") ?? "";
    const html = renderHtml(text);
    expect(html).toContain("<code>src/money.js</code>");
    expect(html).toContain("add(1, 2)");
    expect(html).toContain("<li>");
    expect(html).not.toContain("<b>");
    expect(listMentions(text)).toEqual([]);
    expect(listCommandLines(text)).toEqual([]);
  });

  it("names an issue's number only where it closes it or points at our own work", () => {
    for (const [name, text] of renderEverything(tellMerged())) {
      if (name === "feature body") expect(text).toContain("Closes #7");
      else expect(text).not.toMatch(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?) #\d/iu);
    }
    for (const [, text] of hostile) expect(stripCode(text)).not.toMatch(/fixes #\d/iu);
  });

  it("shows an approver the characters of a command that nobody would see", () => {
    const text = renderEverything(tellHostile()).get("approval 1") ?? "";
    expect(text).toContain("echo \\u{202E}; rm -rf /");
    expect(renderEverything(tellProposal()).get("approval 1")).not.toContain("\\u{");
  });
});
