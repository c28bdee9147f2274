import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createBranch, readTip } from "./make-commits.ts";
import { refusalOf } from "./refusals.ts";
import { REPO, type SandboxWorld, createWorld } from "./sandbox-world.ts";

let world: SandboxWorld;

beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const listComments = async () => (await world.app.rest.issues.listCommentsForRepo(REPO)).data;

describe("a request that meets a fault", () => {
  it("has no effect when GitHub fails before it", async () => {
    const { data } = await world.app.rest.issues.create({ ...REPO, title: "x" });
    world.sandbox.faults.onRequest({ method: "POST", path: /\/comments$/ }, { kind: "error", status: 503 }, 2);
    const comment = () => world.app.rest.issues.createComment({ ...REPO, issue_number: data.number, body: "x" });
    expect((await refusalOf(comment())).status).toBe(503);
    expect((await refusalOf(comment())).status).toBe(503);
    expect(await listComments()).toHaveLength(0);
    await comment();
    expect(world.sandbox.faults.struckResponses).toHaveLength(2);
  });

  it.each([["cut-after-effect"], ["error-after-effect"]] as const)("has its effect in spite of %s", async (kind) => {
    const { data } = await world.app.rest.issues.create({ ...REPO, title: "x" });
    world.sandbox.faults.onRequest({ method: "POST", path: /\/comments$/ }, { kind });
    const comment = world.app.rest.issues.createComment({ ...REPO, issue_number: data.number, body: "x" });
    await expect(comment).rejects.toThrow();
    expect(await listComments()).toHaveLength(1);
  });

  it("is told to wait by a secondary limit", async () => {
    world.sandbox.faults.onRequest({ path: /^\/repos/ }, { kind: "secondary-limit", retryAfterSeconds: 7 });
    await expect(world.app.rest.repos.get(REPO)).rejects.toMatchObject({
      status: 403,
      response: { headers: { "retry-after": "7" } },
    });
  });

  // github-facts 17: 404 just after creation
  it("creates what cannot be found for a while", async () => {
    await createBranch(world.app, "topic", { "x.txt": "x" });
    world.sandbox.faults.onRequest({ method: "POST", path: /\/pulls$/ }, { kind: "not-found-after-create", times: 2 });
    const { data } = await world.app.rest.pulls.create({ ...REPO, head: "topic", base: "main", title: "x" });
    const read = () => world.app.rest.pulls.get({ ...REPO, pull_number: data.number });
    expect((await refusalOf(read())).status).toBe(404);
    expect((await refusalOf(read())).status).toBe(404);
    expect((await read()).data.number).toBe(data.number);
  });

  it("creates what lists do not show for a while, refs included", async () => {
    const { data } = await world.app.rest.issues.create({ ...REPO, title: "x" });
    const hide = (path: RegExp) =>
      world.sandbox.faults.onRequest({ method: "POST", path }, { kind: "not-found-after-create", times: 1 });
    hide(/\/comments$/);
    await world.app.rest.issues.createComment({ ...REPO, issue_number: data.number, body: "x" });
    expect(await listComments()).toHaveLength(0);
    expect(await listComments()).toHaveLength(1);
    hide(/\/git\/refs$/);
    await createBranch(world.app, "a/b", { "x.txt": "x" });
    const read = () => world.app.rest.git.getRef({ ...REPO, ref: "heads/a/b" });
    expect((await refusalOf(read())).status).toBe(404);
    await read();
    hide(/\/dispatches$/);
    await world.app.request("POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", {
      ...REPO,
      workflow_id: "work.yml",
      ref: "main",
      inputs: { role: "plan", request: "r" },
      return_run_details: true,
    });
    const runs = async () => (await world.app.rest.actions.listWorkflowRunsForRepo(REPO)).data.workflow_runs.length;
    expect([await runs(), await runs()]).toEqual([0, 1]);
  });

  // github-facts 19: a fresh token can be refused for seconds
  it("is refused for a moment with a token that is good", async () => {
    world.sandbox.faults.onRequest({ path: /^\/repos\/acme\/shop$/ }, { kind: "error", status: 401 });
    const octokit = world.as(await world.installationToken());
    expect(await refusalOf(octokit.rest.repos.get(REPO))).toMatchObject({ status: 401, message: "Bad credentials" });
    await octokit.rest.repos.get(REPO);
  });

  it("moves a ref although its caller hears nothing", async () => {
    const sha = await createBranch(world.app, "topic", { "x.txt": "x" });
    world.sandbox.faults.onRequest({ method: "PATCH", path: /\/git\/refs\// }, { kind: "cut-after-effect" });
    await expect(world.app.rest.git.updateRef({ ...REPO, ref: "heads/main", sha })).rejects.toThrow();
    expect(await readTip(world.app, "main")).toBe(sha);
  });
});
