import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Plan } from "../../src/contracts/plan.ts";
import { type Evidence, listMarkers, playDemo } from "./evidence.ts";
import { wholeRun } from "./whole-run.ts";

let evidence: Evidence;
beforeAll(async () => {
  evidence = await playDemo("replan");
}, 480_000);
afterAll(async () => await evidence?.remove());

describe("a run that is replanned on its way", () => {
  it.each(Object.entries(wholeRun))("%s", async (_, holds) => await holds(evidence), 60_000);

  it("has two revisions, each approved by a person after it was shown", () => {
    expect(evidence.summary.planRevs).toEqual([1, 2]);
    const markers = listMarkers(evidence).filter((marker) => marker.includes(" approval:"));
    expect(markers.map((marker) => marker.split(" ")[1])).toEqual(["approval:1", "approval:2"]);
  });

  it("keeps what had landed and adds what was asked for", async () => {
    const { git, summary } = evidence;
    const read = async (rev: number) =>
      JSON.parse(await git("show", `origin/main:.taskfleet/${summary.runKey}/plan.v${rev}.json`)) as Plan;
    const [first, second] = [await read(1), await read(2)];
    const added = second.chunks.filter(({ id }) => !first.chunks.some((chunk) => chunk.id === id));
    expect(added.map(({ id }) => id)).toEqual(["csv-export"]);
    expect(await git("show", "origin/main:src/cli.js")).toContain("formatCsv");
    // Nothing that had landed was built again.
    for (const { attempts } of summary.chunks)
      expect(attempts.filter(({ review }) => review === "pass")).toHaveLength(1);
  });
});
