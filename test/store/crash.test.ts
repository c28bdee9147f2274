/** Acknowledged means stored: processes and servers are killed in the middle of their work. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { openStore } from "../../src/store/open-store.ts";
import { findPostgres, startPostgres } from "./start-postgres.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-crash-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Stores deliveries in another process, and calls `crash` after that many were acknowledged. */
async function storeUntil(place: string, count: number, crash: (kill: () => void) => void): Promise<readonly string[]> {
  const child = spawn(process.execPath, [path.resolve("test/store/put-deliveries.ts"), place], {
    stdio: ["ignore", "pipe", "ignore"],
    // Without Jest's own options: the child is a program like any other.
    env: { PATH: process.env["PATH"] },
  });
  const acknowledged: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    acknowledged.push(line);
    if (acknowledged.length === count) crash(() => child.kill("SIGKILL"));
  });
  await Promise.all([once(child, "exit"), once(lines, "close")]);
  return acknowledged;
}

describe("after a crash", () => {
  it.each([1, 137, 600])("of the App, SQLite has everything it acknowledged (%i deliveries)", async (count) => {
    const file = path.join(folder, "store.db");
    const acknowledged = await storeUntil(file, count, (kill) => kill());
    const store = await openStore({ file });
    const stored = new Set((await store.loadDeliveries(100_000)).map(({ guid }) => guid));
    await store.close();
    expect(acknowledged.length).toBeGreaterThanOrEqual(count);
    expect(acknowledged.filter((guid) => !stored.has(guid))).toEqual([]);
  });

  const bin = findPostgres();
  const itWithPostgres = bin === null ? it.skip : it;
  itWithPostgres(
    "of the server, PostgreSQL has everything it acknowledged, and the store finds back to it",
    async () => {
      const server = startPostgres(bin ?? "", ["fsync=on"]);
      try {
        const url = server.createDatabase();
        const store = await openStore({ url });
        expect(await store.loadDeliveries(1)).toEqual([]);
        const acknowledged = await storeUntil(url, 300, (kill) => {
          server.restart();
          kill();
        });
        const stored = new Set((await store.loadDeliveries(100_000)).map(({ guid }) => guid));
        expect(acknowledged.filter((guid) => !stored.has(guid))).toEqual([]);
        await store.close();
      } finally {
        server.stop();
      }
    },
  );
});
