/** What stands before several processes of the App: each delivery goes to the next one that answers. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Balancer {
  readonly url: string;
  /** Webhook addresses of the processes that are there. */
  setTargets(urls: readonly string[]): void;
  close(): Promise<void>;
}

const passed = /^(?:x-github-|x-hub-|content-type|user-agent|accept$)/u;

export async function startBalancer(): Promise<Balancer> {
  let targets: readonly string[] = [];
  let turn = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const body = new Uint8Array(await buffer(request));
      const headers = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
          typeof value === "string" && passed.test(name) ? [[name, value]] : [],
        ),
      );
      const order = targets.map((_, index) => targets[(turn + index) % targets.length] ?? "");
      turn += 1;
      for (const target of order) {
        const answer = await fetch(target, { method: "POST", headers, body }).catch(() => null);
        if (answer === null) continue;
        await answer.arrayBuffer();
        response.writeHead(answer.status).end();
        return;
      }
      response.writeHead(502).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    setTargets: (urls) => {
      targets = urls;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
