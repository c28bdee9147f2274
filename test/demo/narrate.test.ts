import { describe, expect, it } from "@jest/globals";
import { formatLine } from "../../src/cli/demo/format-line.ts";
import { narrate, Told } from "../../src/cli/demo/narrate.ts";
import { formatOneLine } from "../../src/cli/demo/one-line.ts";
import { readSighting, type Sighting } from "../../src/cli/demo/sighting.ts";

const run = "1-budgets";
const url = "http://localhost:1/o/r/pull/3";

function tell(...sightings: readonly Sighting[]): readonly string[] {
  const told = new Told();
  return sightings.flatMap((sighting) =>
    narrate(sighting, told).map((line) => `${line.who} | ${line.mark} | ${line.text}`),
  );
}

function check(more: Partial<Extract<Sighting, { kind: "check" }>>): Sighting {
  return {
    at: 0,
    kind: "check",
    id: 9,
    name: "taskfleet/floor",
    app: "taskfleet",
    externalId: `${run}:floor:months:1`,
    sha: "a".repeat(40),
    conclusion: "success",
    title: "10 gates hold",
    detail: "",
    url,
    ...more,
  };
}

function job(title: string, more: Partial<Extract<Sighting, { kind: "run" }>> = {}): Sighting {
  return {
    at: 0,
    kind: "run",
    id: 4,
    title,
    event: "workflow_dispatch",
    branch: "main",
    status: "started",
    conclusion: "",
    url,
    ...more,
  };
}

function comment(body: string, more: Partial<Extract<Sighting, { kind: "comment" }>> = {}): Sighting {
  return { at: 0, kind: "comment", action: "created", number: 1, by: "taskfleet[bot]", bot: true, body, url, ...more };
}

describe("the demo's progress", () => {
  it.each<[string, Sighting, string]>([
    ["a passed floor", check({}), "months | good | floor: 10 gates hold"],
    [
      "a failed floor with its reason",
      check({
        conclusion: "failure",
        title: "Attempt 1 of months failed the floor: 2 violations: commands",
        detail: "[`test/a.js`](http://x): The test a › b fails.",
      }),
      "months | bad | floor of try 1: 2 violations: commands. First: test/a.js: The test a › b fails.",
    ],
    [
      "a verdict",
      check({ name: "taskfleet/review", externalId: `${run}:review:months:2`, title: "all met" }),
      "months | good | review of try 2: all met",
    ],
    [
      "a candidate",
      check({ externalId: `${run}:candidate:abc`, title: "holds together" }),
      "candidate | good | floor: holds together",
    ],
    [
      "the run's own check",
      check({ name: "taskfleet", externalId: `${run}:run:abc`, conclusion: "action_required", title: "one chunk" }),
      "feature | ask | run: one chunk",
    ],
    ["a first try", job(`taskfleet implement ${run}/implement:months/1`), "months | step | an agent implements it"],
    [
      "a job that broke",
      job(`taskfleet floor ${run}/floor:months/1`, { status: "completed", conclusion: "timed_out" }),
      "months | bad | floor ended as timed_out",
    ],
    [
      "the repository's own CI",
      job("CI", { event: "push", status: "completed", conclusion: "success" }),
      "own CI | good | CI on push: success",
    ],
    [
      "a question about a chunk",
      comment(`<!-- taskfleet:${run} need:escalation:rounding:3 -->\n**\`rounding\`** needs a person\n\nmore`),
      "rounding | ask | asks people: rounding needs a person",
    ],
    ["a person's word", comment("/approve", { by: "mara", bot: false }), "people | say | mara writes: /approve"],
  ])("tells %s", (_, sighting, line) => {
    expect(tell(sighting)).toEqual([line]);
  });

  it("tells nothing twice and leaves edits of a comment out", () => {
    expect(tell(check({}), check({}))).toHaveLength(1);
    expect(tell(comment("a"), comment("b", { action: "edited" }), comment("a"))).toHaveLength(1);
  });

  it("tells of a landing after the verdict it rests on, whichever GitHub shows first", () => {
    const landing: Sighting = {
      at: 0,
      kind: "pull",
      action: "merged",
      number: 3,
      title: "t",
      head: `taskfleet/${run}/chunk/months`,
      base: `taskfleet/${run}/integration`,
      sha: "",
      url,
    };
    const verdict = check({ name: "taskfleet/review", externalId: `${run}:review:months:1`, title: "all met" });
    const lines = ["months | good | review: all met", "months | land | landed: #3 is merged"];
    expect(tell(landing, verdict)).toEqual(lines);
    expect(tell(verdict, landing)).toEqual(lines);
  });

  it("tells why before it tells of a new try, whichever GitHub shows first", () => {
    const again = job(`taskfleet implement ${run}/implement:months/2`);
    const failed = check({ conclusion: "failure", title: "2 violations" });
    const lines = ["months | bad | floor of try 1: 2 violations", "months | step | an agent tries again (2)"];
    expect(tell(again, failed)).toEqual(lines);
    expect(tell(failed, again)).toEqual(lines);
  });

  it("says so when nothing came of a try", () => {
    const title = `taskfleet implement ${run}/implement:months/2`;
    const done = job(title, { id: 4, status: "completed", conclusion: "success" });
    expect(tell(job(title), done)).toEqual([
      "months | step | nothing usable came of the last try; an agent tries again (2)",
    ]);
  });

  it("leaves other Apps' checks to them", () => {
    expect(tell(check({ name: "tests", app: "github-actions" }))).toEqual([]);
  });
});

describe("a line of progress", () => {
  const line = { at: 67_000, who: "months", mark: "good", text: "floor: 10 gates hold", url } as const;

  it("holds time, chunk, what happened and where to look", () => {
    expect(formatLine(line, { colour: "off", width: 100 })).toEqual([
      `  1:07  months         ✓ floor: 10 gates hold  ${url}`,
    ]);
  });

  it("puts the address on a line of its own where it does not fit", () => {
    const lines = formatLine(line, { colour: "off", width: 60 });
    expect(lines).toHaveLength(2);
    expect(lines[1]?.trim()).toBe(url);
  });

  it("has colour only where there is a terminal", () => {
    expect(formatLine(line, { colour: "on", width: 100 }).join("")).toContain("\u001B[32m");
    expect(formatLine(line, { colour: "off", width: 100 }).join("")).not.toContain("\u001B");
  });

  it.each([
    ["<!-- hidden -->\n\n## A **bold** [link](http://x) `code`\nmore", "A bold link code"],
    ["@mara:\n\n- ✅ `/approve`: done", "✅ /approve: done"],
    ["", ""],
    ["long ".repeat(40), `${"long ".repeat(9)}long…`],
  ])("takes the first words of %j", (markdown, text) => {
    expect(formatOneLine(markdown, 50)).toBe(text);
  });
});

describe("what is seen of a delivery", () => {
  it("is nothing while a check is still running, and its conclusion afterwards", () => {
    const run = (status: string, conclusion: string | null) =>
      JSON.stringify({
        action: "created",
        check_run: {
          id: 1,
          name: "taskfleet",
          external_id: "x",
          head_sha: "s",
          status,
          conclusion,
          html_url: url,
          output: { title: "t" },
          app: { slug: "taskfleet" },
        },
      });
    expect(readSighting("check_run", run("in_progress", null), 5)).toBeNull();
    expect(readSighting("check_run", run("completed", "success"), 5)).toMatchObject({ at: 5, conclusion: "success" });
  });

  it("tells a merged pull request from one that was closed", () => {
    const closed = (merged: boolean) =>
      JSON.stringify({
        action: "closed",
        pull_request: {
          number: 1,
          title: "t",
          html_url: url,
          merged,
          head: { ref: "h", sha: "s" },
          base: { ref: "b" },
        },
      });
    expect(readSighting("pull_request", closed(true), 0)).toMatchObject({ action: "merged" });
    expect(readSighting("pull_request", closed(false), 0)).toMatchObject({ action: "closed" });
  });

  it("is nothing for events the demo does not speak of", () => {
    expect(readSighting("repository", "{}", 0)).toBeNull();
    expect(readSighting("issues", JSON.stringify({ action: "edited", issue: {} }), 0)).toBeNull();
  });
});
