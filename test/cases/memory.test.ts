/** Nothing is kept per event. A row of docs/cases.md. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createHmac, randomUUID } from "node:crypto";
import type { AppProcess } from "../../src/cli/demo/app-process.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";

let stage: FleetStage;
let app: AppProcess;

beforeAll(async () => {
  stage = await openFleetStage({});
  app = await stage.startApp({ LOG_LEVEL: "warn", NODE_OPTIONS: "--max-old-space-size=160" });
}, 60_000);

afterAll(async () => {
  await stage.close();
});

const body = JSON.stringify({ action: "edited", comment: { body: "x".repeat(4_000) }, sender: { login: "mona" } });

async function deliver(count: number): Promise<void> {
  const signature = `sha256=${createHmac("sha256", stage.sandbox.app.webhookSecret).update(body).digest("hex")}`;
  for (let sent = 0; sent < count; sent += 50)
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const response = await fetch(app.webhookUrl, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "x-github-event": "issue_comment",
            "x-github-delivery": randomUUID(),
            "x-hub-signature-256": signature,
          },
          body,
        });
        await response.arrayBuffer();
        expect(response.status).toBe(200);
      }),
    );
}

async function measure(): Promise<number> {
  const text = await (await fetch(new URL("/metrics", app.webhookUrl))).text();
  return Number(/^nodejs_heap_size_used_bytes (\d+)/mu.exec(text)?.[1]) / 1024 / 1024;
}

it("five thousand deliveries leave no more memory behind than five hundred", async () => {
  await deliver(500);
  const before = await measure();
  await deliver(4_500);
  const after = await measure();
  expect(before).toBeGreaterThan(5);
  // Garbage that is not collected yet comes and goes; 4,500 payloads and what hangs on them would be more.
  expect(after - before).toBeLessThan(40);
}, 120_000);
