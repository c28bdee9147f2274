import { describe, expect, it } from "@jest/globals";
import { explainRun, formatExplanation } from "../../src/cli/run/explain-run.ts";
import { replayRun } from "../../src/cli/run/replay-run.ts";
import { formatRunFile, parseRunFile } from "../../src/cli/run/run-file.ts";
import { formatFactKey } from "../../src/engine/fact-key.ts";
import { tellEscalation, tellMerged, tellProposal } from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";

const timing = { staleReadMs: 120_000 };

function exportStory(story: Story): string {
  const facts = story.facts.map(({ seq, at, fact }) => ({
    seq,
    at,
    key: formatFactKey(fact),
    fact: JSON.stringify(fact),
  }));
  return formatRunFile({ runKey: story.run, repositoryId: 1 }, facts);
}

describe("a run as a file", () => {
  it("comes back to the byte, with the same state", () => {
    const story = tellMerged();
    const text = exportStory(story);
    const { facts, run } = parseRunFile(text);
    expect(run).toEqual({ runKey: story.run, repositoryId: 1 });
    expect(JSON.stringify(replayRun(facts, timing).state)).toBe(JSON.stringify(story.state));
  });

  it("says so when it was cut, edited or is something else", () => {
    const text = exportStory(tellProposal());
    const lines = text.trimEnd().split("\n");
    expect(() => parseRunFile(lines.slice(0, -1).join("\n"))).toThrow(/announces [0-9]+ facts and holds/u);
    expect(() =>
      parseRunFile(text.replace('"by":"alice"', '"by":"mallory"').replace('"actor":"alice"', '"actor":"mallory"')),
    ).toThrow("their sum differs");
    expect(() => parseRunFile("{}")).toThrow("does not begin a run");
    expect(() => parseRunFile("nothing")).toThrow("Line 1 is no JSON object");
  });

  it("gives the same decisions each time", () => {
    const { facts } = parseRunFile(exportStory(tellEscalation()));
    expect(replayRun(facts, timing).steps).toEqual(replayRun(facts, timing).steps);
  });

  it("tells which effects were begun without an end", () => {
    const story = tellProposal();
    const before = replayRun(parseRunFile(exportStory(story)).facts, timing).unfinished;
    story.record({ kind: "EffectStarted", effect: "comment:status" });
    expect(replayRun(parseRunFile(exportStory(story)).facts, timing).unfinished).toEqual([...before, "comment:status"]);
  });
});

describe("explaining a run", () => {
  it("names what every chunk waits for", () => {
    const story = tellEscalation();
    const { chunks } = explainRun(story.state, story.now, timing);
    const why = Object.fromEntries(chunks.map((chunk) => [chunk.chunk, chunk.why ?? chunk.phase]));
    expect(why["months"]).toBe("landed");
    expect(why["categories"]).toContain("failed the floor 3 of 3 times; `/retry categories`");
    expect(why["budgets"]).toBe("it waits for `categories`, which is a person's business");
  });

  it("says who can end a wait", () => {
    const story = tellProposal();
    const text = formatExplanation(explainRun(story.state, story.now, timing), (at) => new Date(at).toISOString());
    expect(text).toContain("until a person acts; ends when `/approve");
  });
});
