import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "@jest/globals";
import type { Sighting } from "../../src/cli/demo/sighting.ts";
import { Sightings } from "../../src/cli/demo/sightings.ts";
import { startWebhookRelay, type WebhookRelay } from "../../src/cli/demo/webhook-relay.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function startRelay(): Promise<{ readonly relay: WebhookRelay; readonly seen: Sighting[] }> {
  const seen: Sighting[] = [];
  const relay = await startWebhookRelay(Date.now(), (sighting) => seen.push(sighting));
  ends.push(() => relay.close());
  return { relay, seen };
}

async function startReceiver(status: number) {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      received.push({ headers: request.headers, body: (await buffer(request)).toString() });
      response.writeHead(status).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` };
}

const body = JSON.stringify({
  action: "labeled",
  sender: { login: "mara" },
  label: { name: "taskfleet" },
  issue: { number: 1, title: "ö", html_url: "http://x/1" },
});

async function deliver(url: string, guid: string): Promise<number> {
  const headers = {
    "x-github-event": "issues",
    "x-github-delivery": guid,
    "x-hub-signature-256": "sha256=abc",
    "content-type": "application/json",
  };
  return (await fetch(url, { method: "POST", headers, body })).status;
}

describe("the demo's webhook relay", () => {
  it("passes a delivery on byte by byte with the headers that are signed and named", async () => {
    const { relay, seen } = await startRelay();
    const { received, url } = await startReceiver(202);
    relay.setTarget(url);
    expect(await deliver(relay.url, "one")).toBe(202);
    expect(received[0]?.body).toBe(body);
    expect(received[0]?.headers).toMatchObject({
      "x-github-event": "issues",
      "x-github-delivery": "one",
      "x-hub-signature-256": "sha256=abc",
    });
    expect(seen).toMatchObject([{ kind: "label", label: "taskfleet", by: "mara" }]);
  });

  it("answers 502 when nobody is there, and still shows what happened", async () => {
    const { relay, seen } = await startRelay();
    expect(await deliver(relay.url, "one")).toBe(502);
    relay.setTarget("http://127.0.0.1:9/");
    expect(await deliver(relay.url, "two")).toBe(502);
    expect(seen).toHaveLength(2);
  });

  it("shows a redelivery once", async () => {
    const { relay, seen } = await startRelay();
    await deliver(relay.url, "one");
    await deliver(relay.url, "one");
    expect(seen).toHaveLength(1);
  });
});

describe("waiting for something to be seen", () => {
  const label = { at: 0, kind: "label", number: 1, label: "x", by: "mara", url: "" } as const;

  it("finds what has been seen already and what comes later", async () => {
    const sightings = new Sightings();
    const { signal } = new AbortController();
    sightings.add(label);
    expect(await sightings.waitFor((seen) => seen.kind === "label", signal)).toBe(label);
    const later = sightings.waitFor((seen) => seen.kind === "push", signal);
    const push = { at: 1, kind: "push", ref: "r", sha: "s", message: "", by: "mara", url: "" } as const;
    sightings.add(label);
    sightings.add(push);
    expect(await later).toBe(push);
  });

  it("ends with the signal's reason", async () => {
    const abort = new AbortController();
    const waiting = new Sightings().waitFor(() => true, abort.signal);
    abort.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});
