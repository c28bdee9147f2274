import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { startRun } from "../../src/sandbox/actions/start-run.ts";
import { type HookReceiver, startReceiver } from "./hook-receiver.ts";
import { commitFiles, readTip } from "./make-commits.ts";
import { refusalOf } from "./refusals.ts";
import { FILES, REPO, type SandboxWorld, createWorld, git } from "./sandbox-world.ts";

let world: SandboxWorld;
let receiver: HookReceiver;

beforeEach(async () => {
  world = await createWorld();
  receiver = await startReceiver();
  world.sandbox.setWebhookTarget(receiver.url);
});
afterEach(async () => {
  await world.close();
  await receiver.close();
});

// github-facts 40: address by repository id, expect 301 and 307
it("a renamed repository redirects reads and writes to its id, and git to its new name", async () => {
  world.sandbox.renameRepository("acme/shop", "market");
  const { data } = await world.app.rest.repos.get(REPO);
  expect(data.full_name).toBe("acme/market");
  const created = await world.app.rest.issues.create({ ...REPO, title: "Written under the old name" });
  expect(created.data.html_url).toContain("/acme/market/issues/1");
  const byId = await world.app.request("GET /repositories/{id}/issues/1", { id: data.id });
  expect(byId.data.title).toBe("Written under the old name");
  const response = await fetch(`${world.sandbox.apiUrl}/repos/acme/shop/issues`, {
    method: "POST",
    redirect: "manual",
  });
  expect([response.status, response.headers.get("location")]).toEqual([
    307,
    `${world.sandbox.apiUrl}/repositories/${data.id}/issues`,
  ]);
  await git(world.folder, "clone", "--quiet", world.repository.cloneUrl, "by-old-name");
  await world.sandbox.idle();
  expect(receiver.names()).toContain("repository.renamed");
});

it("an archived repository is read-only until it is not", async () => {
  world.sandbox.archiveRepository("acme/shop");
  expect((await refusalOf(world.app.rest.issues.create({ ...REPO, title: "x" }))).status).toBe(403);
  await world.app.rest.repos.get(REPO);
  world.sandbox.unarchiveRepository("acme/shop");
  await world.app.rest.issues.create({ ...REPO, title: "x" });
});

// https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_run
it("a check run's buttons and Re-run reach the App that owns it", async () => {
  const { data } = await world.app.rest.checks.create({
    ...REPO,
    name: "taskfleet",
    head_sha: await readTip(world.app, "main"),
    conclusion: "action_required",
    actions: [{ label: "Retry", description: "Try again", identifier: "retry:chunk-1" }],
  });
  const press = (what: string) =>
    world.sandbox.pressCheckButton({ repository: "acme/shop", checkRunId: data.id, press: what, by: "writer" });
  await press("retry:chunk-1");
  await press("re-run");
  await expect(press("unknown")).rejects.toThrow("no button");
  await world.sandbox.idle();
  expect(
    receiver
      .names()
      .filter((name) => name.startsWith("check_run"))
      .toSorted(),
  ).toEqual(["check_run.created", "check_run.requested_action", "check_run.rerequested"]);
  const hook = receiver.received.find(({ body }) => body.includes("requested_action"));
  expect(JSON.parse(hook?.body ?? "{}")).toMatchObject({
    requested_action: { identifier: "retry:chunk-1" },
    sender: { login: "writer" },
  });
});

it("a new owner's repository comes as an installation, a second one as an addition", async () => {
  const create = (owner: string, name: string) =>
    world.sandbox.createRepository({ owner, name, fromDir: `${world.folder}/source`, collaborators: {} });
  await create("other", "one");
  await create("other", "two");
  await world.sandbox.idle();
  expect(receiver.names()).toEqual(["installation.created", "installation_repositories.added"]);
  const { data } = await world.appJwt.rest.apps.listInstallations();
  expect(data.map(({ account }) => account !== null && "login" in account && account.login)).toEqual(["acme", "other"]);
  // Each installation's token opens its own account's repositories only.
  expect((await refusalOf(world.app.rest.issues.create({ owner: "other", repo: "one", title: "x" }))).status).toBe(403);
});

it("a workflow file that cannot be read shows as a run that failed to start", async () => {
  await world.close();
  world = await createWorld({ files: { ...FILES, "a.txt": "a" }, runner: startRun });
  const writer = world.as(world.tokens.writer);
  const sha = await commitFiles(writer, await readTip(writer, "main"), {
    ".github/workflows/bad.yml": "on: [push\njobs: {",
  });
  await writer.rest.git.updateRef({ ...REPO, ref: "heads/main", sha });
  await world.sandbox.idle();
  const { data } = await world.app.rest.actions.listWorkflowRunsForRepo({ ...REPO, head_sha: sha });
  expect(data.workflow_runs.map(({ path, conclusion }) => [path, conclusion])).toEqual([
    [".github/workflows/bad.yml", "startup_failure"],
  ]);
});
