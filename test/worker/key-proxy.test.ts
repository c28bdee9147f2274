import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type KeyHeader, type KeyProxy, startKeyProxy } from "../../src/worker/agents/key-proxy.ts";

const KEY = "sk-the-real-key";

let provider: Server;
let address: string;
let seen: Array<{ readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string }>;
const started: KeyProxy[] = [];

beforeEach(async () => {
  seen = [];
  provider = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
    request.on("end", () => {
      seen.push({ url: request.url ?? "", headers: request.headers, body });
      response.writeHead(request.url?.includes("limit") === true ? 429 : 200, { "retry-after": "7" });
      response.write("first ");
      response.end("second");
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const proxy of started.splice(0)) await proxy.end();
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});

async function start(header: KeyHeader, path = ""): Promise<KeyProxy> {
  const proxy = await startKeyProxy(`${address}${path}`, KEY, header);
  started.push(proxy);
  return proxy;
}

describe("the key proxy", () => {
  it.each([
    ["x-api-key", "x-api-key", (value: string) => value],
    ["x-goog-api-key", "x-goog-api-key", (value: string) => value],
    ["bearer", "authorization", (value: string) => `Bearer ${value}`],
  ] as const)("replaces the dummy by the key as %s, and leaves the rest as it was", async (header, name, format) => {
    const proxy = await start(header, "/v1");
    const response = await fetch(`${proxy.url}/messages?beta=true`, {
      method: "POST",
      headers: { [name]: format(proxy.dummy), "anthropic-version": "2023-06-01" },
      body: "question",
    });
    expect([response.status, await response.text()]).toEqual([200, "first second"]);
    expect(seen).toMatchObject([{ url: "/v1/messages?beta=true", body: "question" }]);
    expect(seen[0]?.headers[name]).toBe(format(KEY));
    expect(seen[0]?.headers["anthropic-version"]).toBe("2023-06-01");
    expect(proxy.dummy).not.toContain("real");
  });

  it("hands on what the provider answers, limits too", async () => {
    const proxy = await start("x-api-key");
    const response = await fetch(`${proxy.url}/limit`, { headers: { "x-api-key": proxy.dummy } });
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
    await response.text();
  });

  it.each([
    ["no key", {}],
    ["another key", { "x-api-key": "taskfleet-0000" }],
    ["the real key", { "x-api-key": KEY }],
  ])("serves nobody who comes with %s", async (_what, headers) => {
    const proxy = await start("x-api-key");
    const response = await fetch(`${proxy.url}/v1/messages`, { headers });
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain(KEY);
    expect(seen).toEqual([]);
  });

  it.each(["/v1/%2e%2e/admin", "/v2/messages", "//evil.example/v1/"])(
    "does not leave the provider's path: %s",
    async (path) => {
      const proxy = await start("x-api-key", "/v1");
      const origin = new URL(proxy.url).origin;
      const response = await fetch(`${origin}${path}`, { headers: { "x-api-key": proxy.dummy } });
      expect(response.status).toBe(403);
      await response.text();
      expect(seen).toEqual([]);
    },
  );

  it("says that the provider is not there, without the key", async () => {
    const proxy = await startKeyProxy("http://127.0.0.1:1", KEY, "x-api-key");
    started.push(proxy);
    const response = await fetch(`${proxy.url}/v1`, { headers: { "x-api-key": proxy.dummy } });
    const text = await response.text();
    expect([response.status, text.includes("cannot be reached"), text.includes(KEY)]).toEqual([502, true, false]);
  });

  it("is gone when it has ended", async () => {
    const proxy = await start("x-api-key");
    await proxy.end();
    await expect(fetch(`${proxy.url}/v1`, { headers: { "x-api-key": proxy.dummy } })).rejects.toThrow();
  });
});
