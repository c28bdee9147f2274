/** The real store on a file, as the processes of one machine have it: each with a connection of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openStore } from "../../../src/store/open-store.ts";
import type { StoryDatabase } from "./story-database.ts";

export function createSqliteDatabase(): StoryDatabase {
  const folder = mkdtempSync(path.join(tmpdir(), "taskfleet-sim-"));
  const file = path.join(folder, "sim.db");
  const connections = new Set<() => Promise<void>>();
  const closeAll = async (): Promise<void> => {
    await Promise.all([...connections].map((close) => close()));
  };
  return {
    async open() {
      const store = await openStore({ file });
      let closed: Promise<void> | null = null;
      // A process may be killed while everything is being closed: once is enough.
      const close = (): Promise<void> => (closed ??= store.close().finally(() => connections.delete(close)));
      connections.add(close);
      return { ...store, close };
    },
    async lose() {
      await closeAll();
      for (const ending of ["", "-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true });
    },
    async close() {
      await closeAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
