/**
 * The demo's default scenario, with the App killed (SIGKILL) three times on the way and started again: what
 * people find afterwards is what they find after an undisturbed run, and nothing of it twice.
 */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { AppControl } from "../../src/cli/demo/demo-options.ts";
import type { Sighting } from "../../src/cli/demo/sighting.ts";
import { parseBranch } from "../../src/contracts/names.ts";
import { type Evidence, playDemo } from "./evidence.ts";
import { wholeRun } from "./whole-run.ts";

/** While the plan is reviewed, right after the first landing, and while the feature is judged as a whole. */
const moments: readonly ((seen: Sighting) => boolean)[] = [
  (seen) => seen.kind === "run" && seen.status === "started" && seen.title.includes("/plan-review:"),
  (seen) => seen.kind === "pull" && seen.action === "merged" && parseBranch(seen.head)?.kind === "chunk",
  (seen) => seen.kind === "run" && seen.status === "started" && seen.title.includes("/final-review/"),
];

let evidence: Evidence;
const kills: number[] = [];

beforeAll(async () => {
  const left = [...moments];
  let busy: Promise<void> = Promise.resolve();
  const interrupt = async (control: AppControl): Promise<void> => {
    await control.killApp();
    await control.startApp();
  };
  evidence = await playDemo("default", {
    hooks: {
      onEvent: (seen, control) => {
        if (left[0]?.(seen) !== true) return;
        left.shift();
        kills.push(seen.at);
        busy = busy.then(async () => await interrupt(control));
      },
    },
  });
  await busy;
}, 480_000);
afterAll(async () => await evidence?.remove());

describe("a run whose App is killed three times", () => {
  it("was really interrupted", () => {
    expect(kills).toHaveLength(3);
  });

  it.each(Object.entries(wholeRun))("%s", async (_, holds) => await holds(evidence), 60_000);

  it("recovers from every agent's mistake within the limits", () => {
    const attempts = Object.fromEntries(
      evidence.summary.chunks.map(({ id, attempts }) => [
        id,
        attempts.map(({ floor, review }) => `${floor}/${review}`),
      ]),
    );
    expect(attempts).toEqual({
      months: ["pass/pass"],
      categories: ["fail/null", "pass/pass"],
      search: ["null/null", "pass/pass"],
      budgets: ["fail/null", "pass/pass"],
      "monthly-report": ["pass/fail", "pass/pass"],
      commands: ["pass/pass"],
    });
  });

  it("annotates what left its scope at the file", () => {
    const { checks, annotations, summary } = evidence;
    const floor = checks.find((check) => check.external_id === `${summary.runKey}:floor:budgets:1`);
    expect(floor?.conclusion).toBe("failure");
    const paths = (annotations.get(floor?.id ?? 0) ?? []).map(({ path }) => path);
    expect(paths).toContain("src/money.js");
  });
});
