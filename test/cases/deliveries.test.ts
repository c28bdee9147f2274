/** What webhooks do to the App, and what it does without them. Rows of docs/cases.md. */
import { describe, expect, it } from "@jest/globals";
import { createHmac, randomUUID } from "node:crypto";
import { LABEL } from "../../src/contracts/names.ts";
import { createReceive } from "../../src/fleet/inbox/receive-delivery.ts";
import { openStore } from "../../src/store/open-store.ts";
import { findDoubles } from "../fleet-stage/find-doubles.ts";
import type { FleetStage } from "../fleet-stage/fleet-stage.ts";
import { keepStages } from "./case-stage.ts";

const often = { jobMs: 300, otherMs: 1_000, sweepMs: 1_000 };

const open = keepStages();

/** Runs one issue to its end and looks for doubles. */
async function finish(on: FleetStage, name = "parts"): Promise<void> {
  const repository = await on.createRepository(name);
  await on.waitForEnd(repository, await on.startRun(repository), 120_000);
  expect(findDoubles(on.sandbox, repository)).toEqual([]);
}

describe("deliveries", () => {
  it("a run reaches its end although not a single webhook arrives", async () => {
    const on = await open();
    // A label is known by its webhook alone: it fails, and is asked for again. All others never come.
    on.sandbox.faults.onDelivery(({ event }) => event === "issues", { kind: "fail" }, 10_000);
    on.sandbox.faults.onDelivery(() => true, { kind: "drop" }, 10_000);
    await on.serveHere(often);
    await finish(on);
    const arrived = on.sandbox.deliveries.filter(
      ({ outcome, redelivery }) => outcome.kind === "answered" && !redelivery,
    );
    expect(arrived).toEqual([]);
  }, 150_000);

  it("the end of a job is enough, whatever was told before or not at all", async () => {
    const on = await open();
    const { faults } = on.sandbox;
    faults.onDelivery(
      ({ event, action }) => event === "workflow_run" && action !== "completed",
      { kind: "drop" },
      10_000,
    );
    faults.onDelivery(({ event }) => event === "check_run" || event === "push", { kind: "reorder", ms: 50 }, 10_000);
    await on.serveHere({ jobMs: 3_600_000, otherMs: 3_600_000, sweepMs: 3_600_000 });
    await finish(on);
    expect(faults.struckDeliveries.some(({ kind }) => kind === "drop")).toBe(true);
  }, 150_000);

  it("a burst of failures of GitHub is outlived", async () => {
    const on = await open();
    await on.serveHere(often);
    const repository = await on.createRepository("parts");
    const issue = await on.startRun(repository);
    on.sandbox.faults.onRequest({ path: /^\/repos\// }, { kind: "error", status: 503 }, 12);
    await on.waitForEnd(repository, issue, 120_000);
    expect(findDoubles(on.sandbox, repository)).toEqual([]);
    expect(on.sandbox.faults.struckResponses).toHaveLength(12);
  }, 150_000);

  it("a delivery of 25 MB is taken", async () => {
    const on = await open();
    const app = await on.serveHere(often);
    const body = JSON.stringify({ action: "edited", filler: "x".repeat(25 * 1024 * 1024 - 100) });
    const response = await fetch(`${app.url}/api/github/webhooks`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-github-event": "issues",
        "x-github-delivery": randomUUID(),
        "x-hub-signature-256": `sha256=${createHmac("sha256", on.sandbox.app.webhookSecret).update(body).digest("hex")}`,
      },
      body,
    });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
  }, 60_000);

  it("a delivery is acknowledged while the work it asks for still waits", async () => {
    const store = await openStore({ file: ":memory:" });
    let poked = 0;
    const silent = { debug() {}, info() {}, warn() {}, error() {} };
    const receive = createReceive({ store, clock: { now: () => 1 }, log: silent }, { poke: () => void (poked += 1) });
    const payload = {
      action: "labeled",
      issue: { number: 3 },
      label: { name: LABEL },
      sender: { login: "mona", type: "User" },
      repository: { id: 5, name: "shop", owner: { login: "octo" } },
      installation: { id: 7 },
    };
    const delivery = { guid: "guid-1", event: "issues", text: JSON.stringify(payload), payload };
    await receive(delivery);
    await receive(delivery);
    // The handler has answered: what GitHub waits for is done, and nothing was worked on.
    expect(poked).toBe(1);
    expect(await store.loadDeliveries(10)).toMatchObject([{ guid: "guid-1", event: "issues" }]);
    await store.close();
  });
});
