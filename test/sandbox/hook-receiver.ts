import { createServer } from "node:http";

interface ReceivedHook {
  readonly event: string;
  readonly guid: string;
  readonly signature: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface HookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedHook[];
  /** `event` or `event.action`, in the order of arrival. */
  names(): string[];
  close(): Promise<void>;
}

/** A webhook endpoint that keeps what it gets; `answer` decides what it says (200 by default, null: nothing). */
export async function startReceiver(answer: () => number | null = () => 200): Promise<HookReceiver> {
  const received: ReceivedHook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({
        event: String(request.headers["x-github-event"]),
        guid: String(request.headers["x-github-delivery"]),
        signature: String(request.headers["x-hub-signature-256"]),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      const status = answer();
      if (status !== null) response.writeHead(status).end("ok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", () => resolve()));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://localhost:${port}/hook`,
    received,
    names: () =>
      received.map(({ event, body }) => {
        const { action } = JSON.parse(body) as { action?: string };
        return action === undefined ? event : `${event}.${action}`;
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
