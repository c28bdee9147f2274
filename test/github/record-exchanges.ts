import type { Exchange } from "./openapi.ts";

export interface Recorder {
  readonly exchanges: readonly Exchange[];
  stop(): void;
}

/** Writes down every JSON request to an API root, as it goes over the wire, until stopped. */
export function recordExchanges(apiUrl: string): Recorder {
  const exchanges: Exchange[] = [];
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init);
    const url = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
    if (url.startsWith(apiUrl)) {
      exchanges.push({
        method: init?.method ?? "GET",
        path: url.slice(apiUrl.length).replace(/\?.*$/u, ""),
        sent: typeof init?.body === "string" ? (JSON.parse(init.body) as unknown) : undefined,
        status: response.status,
        received: await readJson(response.clone()),
      });
    }
    return response;
  };
  return {
    exchanges,
    stop() {
      globalThis.fetch = original;
    },
  };
}

async function readJson(response: Response): Promise<unknown> {
  if (response.headers.get("content-type")?.includes("json") !== true) return undefined;
  return response.json();
}
