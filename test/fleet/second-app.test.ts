/** A second App judges: it may approve and block what ours opened, and takes that back when it is stale. */
import { afterEach, describe, expect, it } from "@jest/globals";
import type { Answer, Job } from "./scripted-jobs.ts";
import { text } from "./scripted-jobs.ts";
import { openStage, type Stage } from "./fleet-stage.ts";

let stage: Stage;
afterEach(async () => stage.close());

/** Fails the first attempt's review with a blocking finding in the diff. */
function failFirst({ request, show }: Job): Answer | null {
  if (request.role !== "review" || !request.job.endsWith("/1")) return null;
  const quote = show(`${request.commit}:src/greeting.txt`).split("\n")[0] ?? "";
  const where = { path: "src/greeting.txt", start: 1, end: 1, quote };
  return text({
    v: 1,
    job: request.job,
    commit: request.commit,
    result: "fail",
    criteria: [{ criterion: 0, result: "fail", expected: "a name", found: "none", where }],
    findings: [],
    files_reviewed: ["src/greeting.txt", "test/greeting.test.txt"],
    summary: "it greets nobody",
  });
}

async function run(by: Stage): Promise<ReadonlyArray<{ login: string; state: string; body: string; commit: string }>> {
  const issue = await by.begin();
  await by.approve(issue);
  await by.ownComment(issue, /^report$/u);
  const { data: pulls } = await by.mara.pulls.list({ ...by.repo, state: "all" });
  const pull = pulls.find((one) => one.head.ref.includes("/chunk/"));
  const reviews = await by.until("a review of the last attempt", async () => {
    const { data } = await by.mara.pulls.listReviews({ ...by.repo, pull_number: pull?.number ?? 0 });
    return data.length >= 2 ? data : null;
  });
  return reviews.map((one) => ({
    login: one.user?.login ?? "",
    state: one.state,
    body: one.body,
    commit: one.commit_id ?? "",
  }));
}

describe("a second App", () => {
  it("requests changes, takes that back when a new head arrives, and approves what passes", async () => {
    stage = await openStage({ reviewer: "writes", script: failFirst });
    const [first, second, ...more] = await run(stage);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ login: "taskfleet-reviewer[bot]", state: "DISMISSED" });
    expect(first?.body).toContain("❌ FAIL");
    expect(second).toMatchObject({ login: "taskfleet-reviewer[bot]", state: "APPROVED" });
    expect(second?.commit).not.toBe(first?.commit);
  });

  it("is not needed: without it verdicts are comments", async () => {
    stage = await openStage({ script: failFirst });
    const reviews = await run(stage);
    expect(reviews.map(({ login, state }) => [login, state])).toEqual([
      ["taskfleet[bot]", "COMMENTED"],
      ["taskfleet[bot]", "COMMENTED"],
    ]);
  });

  it("that may not write leaves the verdict to a comment", async () => {
    stage = await openStage({ reviewer: "reads only", script: failFirst });
    const reviews = await run(stage);
    expect(reviews.map(({ login, state }) => [login, state])).toEqual([
      ["taskfleet[bot]", "COMMENTED"],
      ["taskfleet[bot]", "COMMENTED"],
    ]);
  });
});
