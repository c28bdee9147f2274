/** Something between this machine and GitHub: another time in the answers, another life of tokens. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface SkewingProxy {
  /** `host:port`, for GHE_HOST. */
  readonly host: string;
  close(): Promise<void>;
}

export interface Skew {
  /** Added to the time GitHub says it has, in ms. */
  readonly dateMs?: number;
  /** How long tokens live instead of an hour, in ms. */
  readonly tokenMs?: number;
}

/** @param target the address requests go to, e.g. `http://localhost:1234`. */
export async function startSkewingProxy(target: string, skew: Skew): Promise<SkewingProxy> {
  const server = createServer((request, response) => {
    void (async () => {
      const method = request.method ?? "GET";
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(
          (pair): pair is [string, string] =>
            typeof pair[1] === "string" && !["host", "connection", "content-length"].includes(pair[0]),
        ),
      );
      const answer = await fetch(new URL(request.url ?? "/", target), {
        method,
        headers,
        redirect: "manual",
        ...(method === "GET" ? {} : { body: new Uint8Array(await buffer(request)) }),
      });
      const text = await answer.text();
      const shorter = skew.tokenMs !== undefined && request.url?.endsWith("/access_tokens") === true;
      const passed = Object.fromEntries(
        [...answer.headers].filter(
          ([name]) => !["content-length", "content-encoding", "transfer-encoding"].includes(name),
        ),
      );
      response.writeHead(answer.status, { ...passed, date: new Date(Date.now() + (skew.dateMs ?? 0)).toUTCString() });
      response.end(shorter ? shorten(text, skew.tokenMs ?? 0) : text);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    host: `localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function shorten(text: string, lifeMs: number): string {
  const token = JSON.parse(text) as object;
  return JSON.stringify({ ...token, expires_at: new Date(Date.now() + lifeMs).toISOString() });
}
