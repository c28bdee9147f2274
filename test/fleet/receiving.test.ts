/** What strangers can do to the address deliveries come to, without knowing the secret. */
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import pino from "pino";
import { buildReceivingProbot } from "../../src/fleet/inbox/build-receiving-probot.ts";

const SECRET = "a-secret-of-this-test";
const PATH = "/api/github/webhooks";
const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

let server: Server;
let port: number;
let received: string[];
let store: () => Promise<void>;
let sockets: Socket[];

beforeEach(async () => {
  received = [];
  sockets = [];
  store = () => Promise.resolve();
  const Receiving = buildReceivingProbot(SECRET, async ({ guid }) => {
    await store();
    received.push(guid);
  });
  const probot = new Receiving({ appId: 1, privateKey, secret: SECRET, log: pino({ level: "silent" }) });
  const handle = await probot.getNodeMiddleware({ path: PATH });
  server = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  jest.useRealTimers();
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Sends what a stranger may make up, and goes on to hold the line. */
async function open(headers: Readonly<Record<string, string>>, body = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  const all = {
    host: "localhost",
    "content-type": "application/json",
    "x-github-event": "issues",
    "x-github-delivery": "made-up",
    "x-hub-signature-256": "sha256=made-up",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${PATH} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
  return socket;
}

async function readStatus(socket: Socket): Promise<number> {
  const [data] = (await once(socket, "data")) as [Buffer];
  return Number(/^HTTP\/1\.1 (\d+)/u.exec(data.toString())?.[1]);
}

async function deliver(guid: string): Promise<number> {
  const body = JSON.stringify({ action: "opened" });
  const response = await fetch(`http://127.0.0.1:${port}${PATH}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-github-event": "issues",
      "x-github-delivery": guid,
      "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
    },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

describe("who sends deliveries", () => {
  it("is refused at once when announcing more than GitHub ever sends", async () => {
    expect(await readStatus(await open({ "content-length": "99999999999" }))).toBe(413);
    expect(await deliver("a")).toBe(200);
  });

  it("keeps nobody out by announcing much and sending nothing", async () => {
    for (let n = 0; n < 10; n += 1) {
      const arrived = once(server, "request");
      await open({ "content-length": "25000000" });
      await arrived;
    }
    expect([await deliver("a"), received]).toEqual([200, ["a"]]);
  });

  it("is refused when more arrives than is allowed, though nothing was announced", async () => {
    const socket = await open({ "transfer-encoding": "chunked" });
    const status = readStatus(socket);
    const chunk = `100000\r\n${"x".repeat(0x100000)}\r\n`;
    for (let n = 0; n < 26; n += 1) socket.write(chunk);
    expect(await status).toBe(413);
  });

  it("is told of no success before it is stored, however long that takes", async () => {
    let entered: () => void = () => undefined;
    const storing = new Promise<void>((resolve) => (entered = resolve));
    let fail: (error: Error) => void = () => undefined;
    store = () => {
      entered();
      return new Promise((_, reject) => (fail = reject));
    };
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask", "performance"] });
    const status = deliver("a");
    await storing;
    jest.advanceTimersByTime(12_000);
    fail(new Error("the delivery could not be stored in time"));
    expect([await status, received]).toEqual([503, []]);
  });

  it("is cut off when the body does not come in time", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask", "performance"] });
    const arrived = once(server, "request");
    const socket = await open({ "content-length": "100" }, "{");
    await arrived;
    const status = readStatus(socket);
    jest.advanceTimersByTime(10_000);
    expect(await status).toBe(408);
  });
});
