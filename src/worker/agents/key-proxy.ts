/**
 * A loopback proxy that adds a model key to the requests of an agent's program. The program, and whatever a
 * prompt injection makes it read, sees a dummy key and an address that is gone when the run ends.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { Agent, createServer, type IncomingMessage, request as requestPlain, type ServerResponse } from "node:http";
import { Agent as SecureAgent, request as requestSecure } from "node:https";
import type { AddressInfo } from "node:net";

/** How a provider takes its key. */
export type KeyHeader = "x-api-key" | "x-goog-api-key" | "bearer";

export interface KeyProxy {
  /** `http://127.0.0.1:PORT`, plus the upstream's path. */
  readonly url: string;
  /** What the program uses as its key. */
  readonly dummy: string;
  /** What the provider answered last when that was a refusal or a failure of its own, as one line; else null. */
  readonly refusal: () => string | null;
  readonly end: () => Promise<void>;
}

/** Headers that belong to one connection (RFC 9110, 7.6.1), or are set anew. */
const dropped = new Set(["host", "connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade", "expect"]);

/**
 * @param upstream the provider's address, e.g. `https://api.anthropic.com`.
 * @param key the real one; it never leaves this process but to the upstream.
 */
export async function startKeyProxy(upstream: string, key: string, header: KeyHeader): Promise<KeyProxy> {
  const target = new URL(upstream);
  const base = target.pathname.replace(/\/$/u, "");
  const dummy = `taskfleet-${randomBytes(24).toString("hex")}`;
  // Runners of organisations may reach the provider through a proxy of their own only.
  const options = { keepAlive: true, proxyEnv: process.env };
  const agent = target.protocol === "https:" ? new SecureAgent(options) : new Agent(options);
  let refusal: string | null = null;
  const note = (said: string | null): void => {
    refusal = said;
  };
  const server = createServer((incoming, outgoing) => {
    if (!presents(incoming, header, dummy)) return refuse(outgoing, 401, "this proxy belongs to another program");
    // An absolute or relative form could name another host or leave the provider's path.
    const path = incoming.url ?? "";
    if (!path.startsWith(`${base}/`) || /(?:^|\/)\.\.?(?:\/|$)/u.test(decodeSafely(path)))
      return refuse(outgoing, 403, "this path is not forwarded");
    forward(incoming, outgoing, target, path, { header, key, agent, note });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${base}`,
    dummy,
    refusal: () => refusal,
    end: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function presents(incoming: IncomingMessage, header: KeyHeader, dummy: string): boolean {
  const name = header === "bearer" ? "authorization" : header;
  const given = [incoming.headers[name]].flat()[0] ?? "";
  const wanted = Buffer.from(header === "bearer" ? `Bearer ${dummy}` : dummy);
  const actual = Buffer.from(given);
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: URL,
  path: string,
  secret: {
    readonly header: KeyHeader;
    readonly key: string;
    readonly agent: Agent;
    readonly note: (refusal: string | null) => void;
  },
): void {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined && !dropped.has(name)) headers[name] = value;
  headers["host"] = target.host;
  if (secret.header === "bearer") headers["authorization"] = `Bearer ${secret.key}`;
  else headers[secret.header] = secret.key;
  const send = target.protocol === "https:" ? requestSecure : requestPlain;
  const onward = send(
    {
      agent: secret.agent,
      protocol: target.protocol,
      hostname: target.hostname,
      port: target.port,
      method: incoming.method,
      path,
      headers,
    },
    (answer) => {
      noteAnswer(answer, secret.note);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.on("error", () => outgoing.destroy());
    },
  );
  // The program's own error handling sees an ordinary gateway failure; the key is in no message.
  onward.on("error", (error) => {
    if (outgoing.headersSent || outgoing.destroyed) return outgoing.destroy();
    const why = `the provider cannot be reached: ${"code" in error ? String(error.code) : error.name}`;
    secret.note(why);
    refuse(outgoing, 502, why);
  });
  outgoing.on("close", () => onward.destroy());
  incoming.pipe(onward);
}

/** Refused keys, spent accounts, limits, and failures of the provider's own: nothing an agent does wrong. */
const REFUSALS = new Set([401, 402, 403, 408, 429]);

function noteAnswer(answer: IncomingMessage, note: (refusal: string | null) => void): void {
  const status = answer.statusCode ?? 502;
  // Another refusal (a request the provider cannot read, an unknown path) is the program's, and tells nothing.
  if (status >= 400 && status < 500 && !REFUSALS.has(status)) return;
  if (status < 400) return note(null);
  note(`HTTP ${status}`);
  if (answer.headers["content-encoding"] !== undefined) return;
  let said = "";
  answer.on("data", (chunk: Buffer) => {
    if (said.length < 500) said += chunk.toString("utf8").slice(0, 500);
  });
  answer.on("end", () => note(`HTTP ${status} ${said.replaceAll(/\s+/gu, " ").trim().slice(0, 300)}`));
}

function refuse(outgoing: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ type: "error", error: { type: "taskfleet_proxy", message } });
  outgoing.writeHead(status, { "content-type": "application/json" }).end(body);
}

function decodeSafely(path: string): string {
  try {
    return decodeURIComponent(path.split("?")[0] ?? "");
  } catch {
    return "/../";
  }
}
