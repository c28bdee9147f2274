/** Every webhook the local GitHub sends, held against GitHub's own description. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type HookReceiver, startReceiver } from "./hook-receiver.ts";
import { createBranch, commitFiles } from "./make-commits.ts";
import { REPO, type SandboxWorld, createWorld } from "./sandbox-world.ts";
import { loadWebhookSchemas } from "./webhook-schemas.ts";

const schemas = loadWebhookSchemas();
let world: SandboxWorld;
let receiver: HookReceiver;

beforeAll(async () => {
  world = await createWorld({
    runner: async (_request, host) => {
      host.jobCompleted(host.jobStarted({ name: "work" }), "success");
      return { conclusion: "success", runName: "work" };
    },
  });
  receiver = await startReceiver();
  world.sandbox.setWebhookTarget(receiver.url);
  await playIssues();
  await playPulls();
  await playChecks();
  await playOwner();
  await world.sandbox.idle();
}, 60_000);

afterAll(async () => {
  await world.close();
  await receiver.close();
});

async function playIssues(): Promise<void> {
  const { issues } = world.as(world.tokens.writer).rest;
  const { data } = await issues.create({ ...REPO, title: "One", body: "Text", labels: ["a"] });
  const issue = { ...REPO, issue_number: data.number };
  await issues.update({ ...issue, title: "Two", body: "Other text" });
  await issues.removeLabel({ ...issue, name: "a" });
  const comment = await issues.createComment({ ...issue, body: "Hello" });
  await issues.updateComment({ ...REPO, comment_id: comment.data.id, body: "Hello again" });
  await issues.deleteComment({ ...REPO, comment_id: comment.data.id });
  await issues.lock(issue);
  await issues.unlock(issue);
  await issues.update({ ...issue, state: "closed" });
  await issues.update({ ...issue, state: "open" });
}

async function playPulls(): Promise<void> {
  const { app } = world;
  const head = await createBranch(app, "topic", { "topic.txt": "x\n" });
  const { data } = await app.rest.pulls.create({ ...REPO, head: "topic", base: "main", title: "Topic", draft: true });
  const pull = { ...REPO, pull_number: data.number };
  const change = (name: string): Promise<unknown> =>
    app.graphql(`mutation ($id: ID!) { ${name}(input: { pullRequestId: $id }) { pullRequest { isDraft } } }`, {
      id: data.node_id,
    });
  await change("markPullRequestReadyForReview");
  await change("convertPullRequestToDraft");
  await change("markPullRequestReadyForReview");
  await app.rest.pulls.update({ ...pull, title: "Topic, edited" });
  await app.rest.issues.addLabels({ ...REPO, issue_number: data.number, labels: ["b"] });
  await app.rest.issues.removeLabel({ ...REPO, issue_number: data.number, name: "b" });
  const next = await commitFiles(app, head, { "topic.txt": "y\n" });
  await app.rest.git.updateRef({ ...REPO, ref: "heads/topic", sha: next });
  const reviewer = world.as(world.tokens.writer);
  const review = await reviewer.rest.pulls.createReview({ ...pull, event: "APPROVE", body: "Fine" });
  await reviewer.rest.pulls.updateReview({ ...pull, review_id: review.data.id, body: "Very fine" });
  await reviewer.rest.pulls.dismissReview({ ...pull, review_id: review.data.id, message: "Not any more" });
  await app.rest.pulls.update({ ...pull, state: "closed" });
  await app.rest.pulls.update({ ...pull, state: "open" });
  await world.sandbox.idle();
  await app.rest.pulls.merge(pull);
}

async function playChecks(): Promise<void> {
  const { app } = world;
  const head_sha = await createBranch(app, "checked", { "checked.txt": "x\n" });
  const actions = [{ label: "Retry", description: "Try again", identifier: "retry" }];
  const { data } = await app.rest.checks.create({ ...REPO, name: "floor", head_sha, actions });
  await app.rest.checks.update({ ...REPO, check_run_id: data.id, conclusion: "failure" });
  const button = { repository: `${REPO.owner}/${REPO.repo}`, checkRunId: data.id, by: "writer" };
  await world.sandbox.pressCheckButton({ ...button, press: "retry" });
  await world.sandbox.pressCheckButton({ ...button, press: "re-run" });
  await app.rest.checks.rerequestSuite({ ...REPO, check_suite_id: data.check_suite?.id ?? 0 });
  const writer = world.as(world.tokens.writer).rest;
  await writer.repos.createCommitStatus({ ...REPO, sha: head_sha, state: "success", context: "ci" });
  const inputs = { role: "plan", request: "1" };
  await app.rest.actions.createWorkflowDispatch({ ...REPO, workflow_id: "work.yml", ref: "checked", inputs });
  await world.sandbox.idle();
}

async function playOwner(): Promise<void> {
  const name = `${REPO.owner}/${REPO.repo}`;
  const { sandbox } = world;
  sandbox.archiveRepository(name);
  sandbox.unarchiveRepository(name);
  sandbox.renameRepository(name, "renamed");
  await sandbox.idle();
  sandbox.suspendInstallation(sandbox.installationId);
  sandbox.resumeInstallation(sandbox.installationId);
}

it("sends every kind of webhook that is described, and none that is not", () => {
  expect([...new Set(receiver.names())].toSorted()).toEqual([...schemas.names].toSorted());
});

it("sends payloads that GitHub's description allows", () => {
  const problems = receiver.names().flatMap((name, index) => {
    const payload = JSON.parse(receiver.received[index]?.body ?? "null") as unknown;
    return schemas.findProblems(name, payload) ?? [`${name} is not described`];
  });
  expect([...new Set(problems)]).toEqual([]);
});
