import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Evidence, listMarkers, playDemo } from "./evidence.ts";

let evidence: Evidence;
beforeAll(async () => {
  evidence = await playDemo("escalate");
}, 480_000);
afterAll(async () => await evidence?.remove());

describe("a run with a chunk that cannot be built", () => {
  it("tries it three times and lands what does not wait for it", () => {
    const { summary } = evidence;
    expect(summary.outcome).toBe("escalated");
    const find = (id: string) => summary.chunks.find((chunk) => chunk.id === id);
    expect(find("rounding")?.attempts.map(({ floor }) => floor)).toEqual(["fail", "fail", "fail"]);
    expect(find("rounding")?.landed).toBeNull();
    for (const id of ["months", "categories", "monthly-report"]) expect(find(id)?.landed).not.toBeNull();
    expect(find("commands")).toMatchObject({ attempts: [], landed: null });
  });

  it("asks people once, on the issue, with the history and what they can do", () => {
    const { comments, summary, issue } = evidence;
    const needs = listMarkers(evidence).filter((marker) => marker.includes(" need:"));
    expect(needs).toEqual([`${summary.issue} need:escalation:rounding:3`]);
    const body = (comments.get(summary.issue) ?? []).find((comment) => comment.body?.includes("need:escalation"))?.body;
    expect(body).toContain("rounding");
    expect(body).toMatch(/\/(?:retry|skip|replan|cancel)\b/u);
    expect(issue.state).toBe("open");
  });

  it("leaves the source branch as it was and the feature pull request open", async () => {
    const { git, feature, summary } = evidence;
    expect((await git("rev-parse", "origin/main")).trim()).toBe(summary.commits.fork);
    expect(feature.state).toBe("open");
  });
});
