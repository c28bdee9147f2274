/** A provider that refuses everything and remembers what it was asked, to the byte: the fake model drops what it does not know. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync, zstdDecompressSync } from "node:zlib";

export interface Listener {
  readonly url: string;
  readonly heard: () => string;
  readonly stop: () => Promise<void>;
}

export async function startListener(): Promise<Listener> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      // A socket that cannot be had makes a program fall back to plain requests.
      if (request.method === "GET") return void request.socket.destroy();
      const body = await buffer(request);
      const encoding = request.headers["content-encoding"];
      const plain = encoding === "zstd" ? zstdDecompressSync(body) : encoding === "gzip" ? gunzipSync(body) : body;
      bodies.push(plain.toString("utf8"));
      response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { type: "invalid_request_error", message: "not today" } }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => bodies.join("\n"),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
