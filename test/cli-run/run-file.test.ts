import { describe, expect, it } from "@jest/globals";
import { createHash } from "node:crypto";
import { explainRun, formatExplanation } from "../../src/cli/run/explain-run.ts";
import { replayRun } from "../../src/cli/run/replay-run.ts";
import { formatRunFile, parseRunFile } from "../../src/cli/run/run-file.ts";
import { tellEscalation, tellMerged, tellProposal } from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";

const timing = { staleReadMs: 5_000 };

function exportStory(story: Story): string {
  return formatRunFile({ runKey: story.run, repositoryId: 1 }, story.facts, timing);
}

/** A file with these facts whose heading is right about them. */
function announce(lines: readonly string[], heading: object = {}): string {
  const sum = createHash("sha256").update(lines.join("\n")).digest("hex");
  const first = { format: "taskfleet-run/1", run: "7-x", repositoryId: 1, facts: lines.length, sum, ...heading };
  return [JSON.stringify(first), ...lines].join("\n");
}

describe("a run as a file", () => {
  it("comes back to the byte, with the same state", () => {
    const story = tellMerged();
    const text = exportStory(story);
    const { facts, run } = parseRunFile(text);
    expect(run).toEqual({ runKey: story.run, repositoryId: 1 });
    expect(JSON.stringify(replayRun(facts, timing).state)).toBe(JSON.stringify(story.state));
  });

  it("says what the App took GitHub's delay to be; one of a former version does not", () => {
    const text = exportStory(tellProposal());
    expect(parseRunFile(text).timing).toEqual(timing);
    expect(parseRunFile(text.replace('"staleReadMs":5000,', "")).timing).toBeNull();
  });

  it("is the same with a mark of its encoding and with the line ends of another system", () => {
    const text = exportStory(tellProposal());
    expect(parseRunFile(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toEqual(parseRunFile(text));
  });

  const whole = exportStory(tellProposal());
  const [heading = "", ...lines] = whole.trimEnd().split("\n");
  const edited = whole.replaceAll('"by":"alice"', '"by":"mallory"').replaceAll('"actor":"alice"', '"actor":"mallory"');
  const damaged = [heading, ...lines.with(3, lines[3]?.slice(0, 20) ?? "")].join("\n");
  it.each([
    ["empty", "", "The file is empty"],
    ["cut", [heading, ...lines.slice(0, -1)].join("\n"), "it was cut or edited"],
    ["cut in the middle of a line", whole.slice(0, -30), `Line ${lines.length + 1} is no JSON object`],
    ["damaged in the middle", damaged, "Line 5 is no JSON object"],
    ["edited", edited, "their sum differs"],
    ["of another tool", '{"name":"x"}', "does not begin a run"],
    ["a list", "[]", "does not begin a run"],
    ["no JSON", "nothing", "Line 1 is no JSON object"],
    ["in another encoding", Buffer.from(whole, "utf16le").toString("utf8"), "no text in UTF-8"],
    ["of a newer format", whole.replace("taskfleet-run/1", "taskfleet-run/2"), "its format is taskfleet-run/2"],
    ["without its facts", announce([]), "Line 1 does not say"],
    ["with a delay that is none", announce(lines, { staleReadMs: -1 }), "Line 1 does not say"],
    ["a fact this version does not know", announce([...lines, newFact(lines.length)]), "knows no fact `MoonLanded`"],
    ["without its beginning", announce(renumber(lines.slice(1))), "a run begins with RunStarted"],
    ["of two runs", announce(renumber([...lines, ...lines])), "a second beginning"],
    ["out of order", announce(lines.toReversed()), "Line 2 is not fact 1"],
  ])("says so in one line when it is %s", (_, text, words) => {
    expect(() => parseRunFile(text)).toThrow(words);
    expect(() => parseRunFile(text)).toThrow(expect.objectContaining({ name: "UserError" }));
    expect(() => parseRunFile(text)).not.toThrow(/\n/u);
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

function newFact(before: number): string {
  return JSON.stringify({ seq: before + 1, at: 1, fact: { kind: "MoonLanded" } });
}

function renumber(lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => JSON.stringify({ ...(JSON.parse(line) as object), seq: index + 1 }));
}

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
    expect(text).toContain("waits for approval: the approval policy is `human`; until `/approve");
  });
});
