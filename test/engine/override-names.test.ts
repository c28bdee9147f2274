import { describe, expect, it } from "@jest/globals";
import { GATE_NAMES } from "../../src/contracts/floor-result.ts";
import { findRow } from "../../src/engine/table.ts";
import { chunkId } from "../engine-stories/names.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { failFloor, failReview, OUT_OF_SCOPE, passFloor, passReview, REGRESSION } from "../engine-stories/results.ts";
import { MONTHS, REPORT, tellAllLanded, tellReady } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";

const months = chunkId("months");

type Where = "issue" | "chunk";

function overrule(story: Story, args: string, where: Where): readonly [accepted: boolean, answer: string] {
  const pull = findRow(story.state.chunks, months)?.pulls.at(-1)?.number;
  const on = where === "issue" || pull === undefined ? story.state.run.issue : pull;
  const comment = story.nextComment();
  story.record({ kind: "CommandReceived", comment, line: 0, on, by: "alice", name: "override", args });
  const last = story.state.commands.at(-1);
  return [last?.accepted ?? false, last?.answer ?? ""];
}

function begin(): Story {
  return new Story()
    .propose([MONTHS, buildChunk("other")])
    .approve()
    .start(months)
    .receive(months)
    .commit(months);
}

const STORIES = {
  "a chunk that failed two gates": () => begin().floor(months, failFloor(REGRESSION, OUT_OF_SCOPE)),
  "a chunk whose review failed": () => begin().floor(months, passFloor()).review(months, failReview(MONTHS)),
  "a chunk that nothing is wrong with": () => begin().floor(months, passFloor()).review(months, passReview(MONTHS)),
  "a feature whose final review failed": () =>
    tellAllLanded().createAccept().floorAccept(passFloor()).reviewAccept(failReview(REPORT)),
  "a feature whose floor failed": () => tellAllLanded().createAccept().floorAccept(failFloor(OUT_OF_SCOPE)),
  "a feature whose own checks run": () =>
    tellAllLanded().createAccept().floorAccept(passFloor()).reviewAccept(passReview(REPORT)).commitAccept(),
  "a feature that is ready": () => tellReady(),
  "a draft before the plan's gate": () =>
    new Story()
      .intake()
      .bindBaseline()
      .receiveDraft(buildDraft([MONTHS])),
} as const;

/** What stands there, and is the only thing that may be overruled. */
const NAMES: ReadonlyArray<readonly [keyof typeof STORIES, Where, readonly string[]]> = [
  ["a chunk that failed two gates", "chunk", ["no regression", "scope"]],
  ["a chunk that failed two gates", "issue", []],
  ["a chunk whose review failed", "chunk", ["review"]],
  ["a chunk that nothing is wrong with", "chunk", []],
  ["a feature whose final review failed", "issue", ["review"]],
  ["a feature whose floor failed", "issue", ["scope"]],
  ["a feature whose own checks run", "issue", ["ci"]],
  ["a feature that is ready", "issue", []],
  ["a draft before the plan's gate", "issue", ["plan"]],
];

describe("/override", () => {
  it.each(NAMES)("names what would be taken, and takes exactly that: %s, on the %s", (name, where, names) => {
    const tell = STORIES[name];
    const [accepted, answer] = overrule(tell(), "floor it is fine", where);
    expect(accepted).toBe(false);
    expect(answer).toContain("No gate is named `floor`.");
    expect(answer).toContain(
      names.length === 0
        ? "Nothing can be overruled here now."
        : `What can be overruled here now: ${names.map((one) => `\`${one}\``).join(", ")}.`,
    );
    for (const gate of [...Object.values(GATE_NAMES), "review", "plan"]) {
      const story = tell();
      const before = story.state.overrides.length;
      expect([gate, overrule(story, `${gate.replaceAll(" ", "-")} it is fine`, where)[0]]).toEqual([
        gate,
        names.includes(gate),
      ]);
      expect(story.state.overrides.length - before).toBe(names.includes(gate) ? 1 : 0);
    }
  });

  it("says where a chunk's gates are overruled when somebody writes on the issue", () => {
    const story = STORIES["a chunk that failed two gates"]();
    const pull = findRow(story.state.chunks, months)?.pulls.at(-1)?.number ?? 0;
    expect(overrule(story, "scope it belongs there", "issue")[1]).toBe(
      `Comment on the pull request of the chunk that is meant. Nothing can be overruled here now. Elsewhere: on #${pull} (\`months\`): \`no regression\`, \`scope\`.`,
    );
  });

  it("is not done twice", () => {
    const story = STORIES["a chunk that failed two gates"]();
    expect(overrule(story, "scope it belongs there", "chunk")[0]).toBe(true);
    expect(overrule(story, "scope it belongs there", "chunk")).toEqual([
      false,
      "Gate `scope` does not hold `months` (attempt 1). What can be overruled here now: `no regression`.",
    ]);
  });

  it("wants a reason, and a name", () => {
    const story = STORIES["a chunk whose review failed"]();
    expect(overrule(story, "review", "chunk")[1]).toContain("Say why: `/override review <reason>`.");
    expect(overrule(story, "", "chunk")[1]).toContain("Name a gate, and say why.");
  });
});
