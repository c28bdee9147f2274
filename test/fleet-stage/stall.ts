/** What stands between the App and GitHub, and from some moment on passes nothing on any more, in either direction. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Stall {
  /** `localhost:<port>` */
  readonly host: string;
  /** From now on nobody is answered; connections stay open. */
  begin(): void;
  close(): Promise<void>;
}

/** @param url of the local GitHub. */
export async function startStall(url: string): Promise<Stall> {
  const sockets = new Set<Socket>();
  let stalled = false;
  const server = createServer((incoming) => {
    const outgoing = connect(Number(new URL(url).port), "127.0.0.1");
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => {
        if (!stalled) to.write(bytes);
      });
      from.on("error", () => from.destroy());
      from.on("close", () => {
        sockets.delete(from);
        if (!stalled) to.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `localhost:${(server.address() as AddressInfo).port}`,
    begin: () => {
      stalled = true;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
