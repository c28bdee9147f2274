import { describe, expect, it } from "@jest/globals";
import { formatRunName } from "../../src/contracts/names.ts";
import type { JobId } from "../../src/contracts/ids.ts";
import { API, expectAt, REPO, setUpStage } from "./github-stage.ts";
import { failureOf, sha } from "./stage-parts.ts";
import { makeZip } from "./make-zip.ts";

const stage = setUpStage();
const dispatches = `${REPO}/actions/workflows/taskfleet.yml/dispatches`;
const dispatch = {
  path: ".github/workflows/taskfleet.yml",
  ref: "taskfleet/7-x/integration",
  inputs: { role: "plan" },
};
const runData = (id: number, title: string, change: object = {}) => ({
  id,
  display_title: title,
  event: "workflow_dispatch",
  status: "completed",
  conclusion: "success",
  head_sha: sha("a"),
  head_branch: "x",
  path: ".github/workflows/taskfleet.yml@main",
  html_url: "u",
  created_at: "2026-11-30T12:00:00Z",
  ...change,
});

describe("a dispatch", () => {
  const sent = { ref: dispatch.ref, inputs: dispatch.inputs };

  it("tells the run it started", async () => {
    stage.api.post(dispatches, sent).reply(200, { workflow_run_id: 42, run_url: "u", html_url: "u" });
    expect(await stage.repository.dispatchWorkflow(dispatch)).toBe(42);
  });

  it("on an older server may not tell it", async () => {
    stage.api.post(dispatches, sent).reply(204);
    expect(await stage.repository.dispatchWorkflow(dispatch)).toBeNull();
  });

  it("asks for the run where the older API version has to be asked, and lives with a refusal of that", async () => {
    const version = { message: 'The version "2026-03-10" is not a supported version.' };
    stage.api.post(dispatches, sent).reply(400, version);
    stage.api.post(dispatches, sent).reply(200, { workflow_run_id: 1 });
    expect(await stage.repository.dispatchWorkflow(dispatch)).toBe(1);
    stage.api.post(dispatches, { ...sent, return_run_details: true }).reply(400, { message: "Invalid request." });
    stage.api.post(dispatches, sent).reply(204);
    expect(await stage.repository.dispatchWorkflow(dispatch)).toBeNull();
    stage.api.post(dispatches, { ...sent, return_run_details: true }).reply(200, { workflow_run_id: 43 });
    expect(await stage.repository.dispatchWorkflow(dispatch)).toBe(43);
  });

  it.each([
    [404, "Not Found", "not on the default branch"],
    [422, "Workflow does not have 'workflow_dispatch' trigger", "workflow_dispatch"],
    [422, "Cannot trigger a 'workflow_dispatch' on a disabled workflow", "enabled"],
  ])("refused with %i %s is the repository's fault, and says what to do", async (status, message, advice) => {
    stage.api.post(dispatches).reply(status, { message });
    stage.api
      .get("/repositories/99")
      .optionally()
      .reply(200, { id: 99, owner: { login: "octo" }, name: "shop" });
    const failure = await failureOf(stage.repository.dispatchWorkflow(dispatch));
    expect(failure).toMatchObject({ kind: "misconfigured" });
    expect(failure.message).toContain(advice);
  });

  it("that the server failed in may run, and is not sent again", async () => {
    stage.api.post(dispatches).reply(500, { message: "Server Error" });
    expect(await failureOf(stage.repository.dispatchWorkflow(dispatch))).toMatchObject({
      details: { ambiguous: true },
    });
  });
});

describe("workflow runs", () => {
  const job = "7-x/implement:api/2" as JobId;

  it("are found by the job they carry, oldest first", async () => {
    stage.api
      .get(`${REPO}/actions/workflows/taskfleet.yml/runs`)
      .query({ event: "workflow_dispatch", created: ">=2026-11-30T11:59:59Z", per_page: 100, page: 1 })
      .reply(200, {
        workflow_runs: [
          runData(9, formatRunName("implement", job)),
          runData(8, formatRunName("implement", "7-x/implement:api/1" as JobId)),
          runData(7, "CI"),
          runData(6, formatRunName("implement", job), { status: "cancelling", conclusion: null }),
        ],
      });
    const runs = await stage.repository.loadWorkflowRuns(job, Date.parse("2026-11-30T11:59:59.900Z"));
    expect(runs.map(({ id, status, path }) => [id, status, path])).toEqual([
      [6, "in_progress", ".github/workflows/taskfleet.yml"],
      [9, "completed", ".github/workflows/taskfleet.yml"],
    ]);
  });

  it("are none without the workflow", async () => {
    stage.api.get(`${REPO}/actions/workflows/taskfleet.yml/runs`).query(true).reply(404, { message: "Not Found" });
    stage.api.get(`${REPO}/actions/workflows/taskfleet.yml`).reply(404, { message: "Not Found" });
    stage.api.get("/repositories/99").reply(200, { id: 99, owner: { login: "octo" }, name: "shop" });
    expect(await stage.repository.loadWorkflowRuns(job, 0)).toEqual([]);
    expect(await stage.repository.loadWorkflow(dispatch.path)).toBeNull();
  });

  it("of a commit are all of them, whatever word they ended with", async () => {
    stage.api
      .get(`${REPO}/actions/runs`)
      .query({ head_sha: sha("a"), per_page: 100, page: 1 })
      .reply(200, { workflow_runs: [runData(1, "CI", { event: "push", conclusion: "startup_failure" })] });
    expect(await stage.repository.loadRunsOfCommit(sha("a") as never)).toMatchObject([
      { conclusion: "startup_failure" },
    ]);
  });

  it("are cancelled, also when they are over or gone", async () => {
    const cancel = `${REPO}/actions/runs/42/cancel`;
    stage.api.post(cancel).reply(202, {});
    await stage.repository.cancelRun(42);
    stage.api.post(cancel).reply(409, { message: "Cannot cancel a workflow run that is completed." });
    await stage.repository.cancelRun(42);
    stage.api.post(cancel).reply(404, { message: "Not Found" });
    await stage.repository.cancelRun(42);
  });
});

describe("an artifact", () => {
  const list = `${REPO}/actions/runs/42/artifacts`;
  const storage = "https://productionresults.example";
  const load = () => stage.repository.loadArtifact(42, "taskfleet-result", "result.json", 1000);

  function offer(zip: Buffer): void {
    stage.api
      .get(list)
      .query({ name: "taskfleet-result", per_page: 100, page: 1 })
      .reply(200, { artifacts: [{ id: 5, name: "taskfleet-result", expired: false }] });
    stage.api.get(`${REPO}/actions/artifacts/5/zip`).reply(302, "", { location: `${storage}/5.zip?sig=secret` });
    expectAt(storage, { badheaders: ["authorization"] })
      .get("/5.zip")
      .query({ sig: "secret" })
      .reply(200, zip);
  }

  it("comes from the storage, which is shown no token of ours", async () => {
    offer(await makeZip({ "result.json": '{"für": "alle"}' }));
    expect(await load()).toEqual({ outcome: "found", text: '{"für": "alle"}' });
  });

  it("larger than allowed is not downloaded to its end", async () => {
    offer(Buffer.alloc(200_000));
    expect(await load()).toMatchObject({ outcome: "refused" });
  });

  it("that is a zip bomb is refused", async () => {
    offer(await makeZip({ "result.json": Buffer.alloc(5_000_000) }));
    expect(await load()).toEqual({
      outcome: "refused",
      reason: "artifact taskfleet-result: it unpacks to more than 1000 bytes",
    });
  });

  it("that is not text is refused", async () => {
    offer(await makeZip({ "result.json": Buffer.from([0xff, 0xfe]) }));
    expect(await load()).toEqual({ outcome: "refused", reason: "artifact taskfleet-result: it is not UTF-8 text" });
  });

  it("of another name, or expired, is missing", async () => {
    const artifacts = [
      { id: 5, name: "taskfleet-result", expired: true },
      { id: 6, name: "taskfleet-result-2", expired: false },
    ];
    stage.api.get(list).query(true).reply(200, { artifacts });
    expect(await load()).toEqual({ outcome: "missing" });
  });

  it("whose storage fails is tried again later, and the signed address is in no message", async () => {
    stage.api
      .get(list)
      .query(true)
      .reply(200, { artifacts: [{ id: 5, name: "taskfleet-result", expired: false }] });
    stage.api.get(`${REPO}/actions/artifacts/5/zip`).reply(302, "", { location: `${storage}/5.zip?sig=secret` });
    expectAt(storage).get("/5.zip").query(true).reply(503);
    const failure = await failureOf(load());
    expect(failure).toMatchObject({ kind: "transient" });
    expect(failure.message).not.toContain("secret");
  });
});

describe("deliveries of webhooks", () => {
  const delivery = (id: number | string, guid: string, code: number, at: string) =>
    `{"id":${id},"guid":"${guid}","event":"issues","status_code":${code},"delivered_at":"${at}"}`;

  it("that failed are those whose newest try failed, with ids of any size, over all pages", async () => {
    stage.api
      .get("/app/hook/deliveries")
      .query({ per_page: 100 })
      .reply(
        200,
        `[${[
          delivery("18446744073709551000", "a", 502, "2026-11-30T12:00:05Z"),
          delivery(4, "b", 200, "2026-11-30T12:00:04Z"),
          delivery(3, "b", 500, "2026-11-30T12:00:03Z"),
        ].join(",")}]`,
        {
          "content-type": "application/json",
          link: `<${API}/app/hook/deliveries?per_page=100&cursor=v1_2>; rel="next"`,
        },
      );
    stage.api
      .get("/app/hook/deliveries")
      .query({ per_page: 100, cursor: "v1_2" })
      .reply(
        200,
        `[${[delivery(2, "c", 0, "2026-11-30T12:00:02Z"), delivery(1, "d", 500, "2026-11-30T11:00:00Z")].join(",")}]`,
        { "content-type": "application/json" },
      );
    const failed = await stage.port.loadFailedDeliveries(Date.parse("2026-11-30T12:00:00Z"));
    expect(failed.map(({ id, guid }) => [id, guid])).toEqual([
      ["18446744073709551000", "a"],
      ["2", "c"],
    ]);
  });

  it("are asked for again", async () => {
    stage.api.post("/app/hook/deliveries/18446744073709551000/attempts").reply(202, {});
    await stage.port.redeliver("18446744073709551000");
  });
});
