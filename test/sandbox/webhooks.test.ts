import { Webhooks } from "@octokit/webhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type HookReceiver, startReceiver } from "./hook-receiver.ts";
import { createBranch } from "./make-commits.ts";
import { REPO, type SandboxWorld, createWorld } from "./sandbox-world.ts";

let world: SandboxWorld;
let receiver: HookReceiver;
let status: number | null = 200;

beforeAll(async () => {
  world = await createWorld({ webhookTimeoutMs: 300 });
  receiver = await startReceiver(() => status);
  world.sandbox.setWebhookTarget(receiver.url);
});
afterEach(() => {
  status = 200;
  world.sandbox.faults.clear();
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

const openIssue = async (title: string, labels: string[] = []) => {
  const { data } = await world.as(world.tokens.writer).rest.issues.create({ ...REPO, title, labels });
  await world.sandbox.idle();
  return data.number;
};
const receivedTitles = () =>
  receiver.received
    .map(({ body }) => JSON.parse(body) as { action?: string; issue?: { title: string } })
    .flatMap(({ action, issue }) => (action === "opened" && issue !== undefined ? [issue.title] : []));

// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
it("signs each delivery so that GitHub's own library accepts it, and nobody else's secret does", async () => {
  await openIssue("Signed");
  const hook = receiver.received.at(-1);
  if (hook === undefined) throw new Error("nothing was delivered");
  const verify = (secret: string) => new Webhooks({ secret }).verify(hook.body, hook.signature);
  expect(await verify(world.sandbox.app.webhookSecret)).toBe(true);
  expect(await verify("guessed")).toBe(false);
  expect(hook.guid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(hook.headers).toMatchObject({
    "x-github-event": "issues",
    "x-github-hook-installation-target-id": String(world.sandbox.app.id),
    "x-github-hook-installation-target-type": "integration",
  });
  const payload = JSON.parse(hook.body) as Record<string, { id?: number; login?: string; full_name?: string }>;
  expect(payload["installation"]?.id).toBe(world.sandbox.installationId);
  expect(payload["repository"]?.full_name).toBe("acme/shop");
  expect(payload["sender"]?.login).toBe("writer");
});

// github-facts 20
it("tells labels given at creation one by one, beside the opening", async () => {
  const before = receiver.received.length;
  await openIssue("Labelled", ["a", "taskfleet"]);
  const labels = receiver.received
    .slice(before)
    .map(({ body }) => JSON.parse(body) as { action: string; label?: { name: string } })
    .map(({ action, label }) => (label === undefined ? action : `${action} ${label.name}`));
  expect(labels.toSorted()).toEqual(["labeled a", "labeled taskfleet", "opened"]);
});

it("sends the App what it has subscribed to and nothing else", async () => {
  const before = receiver.received.length;
  await createBranch(world.app, "quiet", { "quiet.txt": "x" });
  await world.sandbox.idle();
  // `create` is not among the App's events.
  expect(receiver.names().slice(before)).toEqual(["push", "check_suite.requested"]);
});

// https://docs.github.com/en/webhooks/using-webhooks/handling-failed-webhook-deliveries
describe("a failed delivery", () => {
  const list = async () => (await world.appJwt.rest.apps.listWebhookDeliveries()).data;

  it("is listed with its status and not sent again by itself", async () => {
    status = 500;
    await openIssue("Broken");
    const sent = receiver.received.length;
    status = 200;
    await world.sandbox.idle();
    expect(receiver.received).toHaveLength(sent);
    expect((await list())[0]).toMatchObject({ event: "issues", action: "opened", status_code: 500, redelivery: false });
  });

  it("that got no answer in time has failed", async () => {
    status = null;
    await openIssue("Silent");
    expect((await list())[0]).toMatchObject({ status: "timed out", status_code: 0 });
  });

  it("can be sent again with the same GUID", async () => {
    status = 502;
    await openIssue("Again");
    status = 200;
    const [failed] = await list();
    await world.appJwt.rest.apps.redeliverWebhookDelivery({ delivery_id: failed?.id ?? 0 });
    await world.sandbox.idle();
    expect(receiver.received.at(-1)?.guid).toBe(failed?.guid);
    const [again] = await list();
    expect(again).toMatchObject({ guid: failed?.guid, redelivery: true, status_code: 200 });
    expect(again?.id).not.toBe(failed?.id);
    const { data } = await world.appJwt.rest.apps.getWebhookDelivery({ delivery_id: again?.id ?? 0 });
    expect((data.request.payload as { issue: { title: string } }).issue.title).toBe("Again");
  });

  it("is found page by page", async () => {
    const { data, headers } = await world.appJwt.rest.apps.listWebhookDeliveries({ per_page: 2 });
    const cursor = /cursor=([^&>]+)/.exec(headers.link ?? "")?.[1] ?? "";
    const next = await world.appJwt.rest.apps.listWebhookDeliveries({ per_page: 2, cursor });
    expect(new Set([...data, ...next.data].map(({ id }) => id)).size).toBe(4);
  });
});

describe("faults", () => {
  const opened = (title: string) => (delivery: { body: string; action: string | null }) =>
    delivery.action === "opened" && delivery.body.includes(`"title":"${title}"`);

  it("drop a delivery for good", async () => {
    world.sandbox.faults.onDelivery(opened("Dropped"), { kind: "drop" });
    await openIssue("Dropped");
    expect(receivedTitles()).not.toContain("Dropped");
    const { data } = await world.appJwt.rest.apps.listWebhookDeliveries();
    expect(JSON.stringify(data.map(({ id }) => id))).not.toContain(String(world.sandbox.deliveries.at(-1)?.id));
    expect(world.sandbox.deliveries.at(-1)?.outcome.kind).toBe("lost");
  });

  it("double a delivery under one GUID", async () => {
    world.sandbox.faults.onDelivery(opened("Doubled"), { kind: "double" });
    await openIssue("Doubled");
    const [first, second] = receiver.received.slice(-2);
    expect(receivedTitles().filter((title) => title === "Doubled")).toHaveLength(2);
    expect(first?.guid).toBe(second?.guid);
  });

  it("let one delivery overtake another", async () => {
    world.sandbox.faults.onDelivery(opened("First"), { kind: "reorder", ms: 5_000 });
    await world.as(world.tokens.writer).rest.issues.create({ ...REPO, title: "First" });
    await world.as(world.tokens.writer).rest.issues.create({ ...REPO, title: "Second" });
    await world.sandbox.idle();
    const order = receivedTitles().filter((title) => title === "First" || title === "Second");
    expect(order).toEqual(["Second", "First"]);
  });
});
