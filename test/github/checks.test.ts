import { describe, expect, it } from "@jest/globals";
import { parseSha } from "../../src/contracts/ids.ts";
import type { Annotation, CheckOutput } from "../../src/github/port.ts";
import { REPO, setUpStage } from "./github-stage.ts";
import { failureOf, sha } from "./stage-parts.ts";

const stage = setUpStage();
const head = parseSha(sha("a"));

function check(annotations: number): CheckOutput {
  const annotation = (line: number): Annotation => ({
    path: "a.ts",
    startLine: line,
    endLine: line,
    level: "failure",
    title: "t",
    message: "m",
  });
  return {
    name: "taskfleet/floor",
    sha: head,
    externalId: "7-x/floor:api/1",
    status: "completed",
    conclusion: "failure",
    title: "Title",
    summary: "Summary",
    annotations: Array.from({ length: annotations }, (_, n) => annotation(n + 1)),
  };
}

type Sent = { output: { annotations?: readonly unknown[] }; external_id: string; head_sha?: string };
const annotationsOf = (sent: Sent): number => sent.output.annotations?.length ?? 0;

describe("a check run", () => {
  it("takes any number of annotations, fifty at a time", async () => {
    const counts: number[] = [];
    stage.api
      .post(`${REPO}/check-runs`, (sent: Sent) => {
        counts.push(annotationsOf(sent));
        return sent.head_sha === head && sent.external_id === "7-x/floor:api/1";
      })
      .reply(201, { id: 4, html_url: "u" });
    stage.api
      .patch(`${REPO}/check-runs/4`, (sent: Sent) => counts.push(annotationsOf(sent)) > 0)
      .twice()
      .reply(200, {});
    expect(await stage.repository.createCheck(check(120))).toEqual({ id: 4, url: "u" });
    expect(counts).toEqual([50, 50, 20]);
  });

  it("is updated again after a failure of the server only when no annotation could be doubled", async () => {
    stage.api.patch(`${REPO}/check-runs/4`).reply(502, { message: "Server Error" });
    stage.api.patch(`${REPO}/check-runs/4`).reply(200, {});
    await stage.repository.updateCheck(4, check(0));
    stage.api.patch(`${REPO}/check-runs/4`).reply(502, { message: "Server Error" });
    expect(await failureOf(stage.repository.updateCheck(4, check(1)))).toMatchObject({ details: { ambiguous: true } });
  });
});

describe("the check runs of a commit", () => {
  const path = `${REPO}/commits/${head}/check-runs`;
  const run = (id: number, change: object = {}) => ({
    id,
    name: "build",
    app: { id: 15368 },
    external_id: null,
    status: "completed",
    conclusion: "success",
    started_at: "2026-11-30T12:00:00Z",
    completed_at: null,
    html_url: "u",
    ...change,
  });
  const next = { link: `<https://api.github.com${path}?page=2>; rel="next"` };

  it("are read to the last page, every attempt, newest first", async () => {
    stage.api
      .get(path)
      .query({ filter: "all", per_page: 100, page: 1 })
      .reply(200, { total_count: 3, check_runs: [run(1), run(3, { conclusion: "a_word_of_tomorrow" })] }, next);
    stage.api
      .get(path)
      .query({ filter: "all", per_page: 100, page: 2 })
      .reply(200, { total_count: 3, check_runs: [run(2, { app: null })] });
    expect(
      (await stage.repository.loadCheckRuns(head)).map(({ id, appId, conclusion }) => [id, appId, conclusion]),
    ).toEqual([
      [3, 15368, "a_word_of_tomorrow"],
      [2, null, "success"],
      [1, 15368, "success"],
    ]);
  });

  it("are not believed when fewer came than were announced", async () => {
    stage.api
      .get(path)
      .query(true)
      .reply(200, { total_count: 2, check_runs: [run(1)] });
    expect(await failureOf(stage.repository.loadCheckRuns(head))).toMatchObject({ kind: "transient" });
  });
});

describe("the statuses of a commit", () => {
  it("are read to the last page, and a state unknown to us is no success", async () => {
    const path = `${REPO}/commits/${head}/statuses`;
    const status = (context: string, state: string) => ({
      context,
      state,
      created_at: "2026-11-30T12:00:00Z",
      target_url: null,
    });
    stage.api
      .get(path)
      .query({ per_page: 100, page: 1 })
      .reply(200, [status("a", "success")], { link: `<https://api.github.com${path}?page=2>; rel="next"` });
    stage.api
      .get(path)
      .query({ per_page: 100, page: 2 })
      .reply(200, [status("b", "splendid")]);
    expect((await stage.repository.loadStatuses(head)).map(({ context, state }) => [context, state])).toEqual([
      ["a", "success"],
      ["b", "error"],
    ]);
  });
});
