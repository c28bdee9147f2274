/**
 * Stands between the local GitHub and the App: every delivery is passed on byte by byte with its
 * headers and shown to the demo, so that the progress a person sees is what GitHub really sent. Where
 * the App does not answer, GitHub gets a 502, as from any proxy.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { readSighting, type Sighting } from "./sighting.ts";

export interface WebhookRelay {
  /** The address GitHub is told. */
  readonly url: string;
  /** Where deliveries go from here; null = nobody is there. */
  setTarget(url: string | null): void;
  close(): Promise<void>;
}

const passed = /^(?:x-github-|x-hub-|content-type|user-agent|accept$)/u;

/** @param startedAt milliseconds since the epoch that sightings are counted from. */
export async function startWebhookRelay(startedAt: number, see: (sighting: Sighting) => void): Promise<WebhookRelay> {
  let target: string | null = null;
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const id = String(request.headers["x-github-delivery"]);
      // A redelivery is for the App; a person has seen it.
      if (!seen.has(id)) {
        seen.add(id);
        const sighting = readSighting(
          String(request.headers["x-github-event"]),
          body.toString(),
          Date.now() - startedAt,
        );
        if (sighting !== null) see(sighting);
      }
      const status = await passOn(target, request.headers, body);
      response.writeHead(status).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    setTarget: (url) => {
      target = url;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function passOn(
  target: string | null,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
): Promise<number> {
  if (target === null) return 502;
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && passed.test(name) ? [[name, value]] : [],
  );
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: Object.fromEntries(kept),
      body: new Uint8Array(body),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 502;
  }
}
