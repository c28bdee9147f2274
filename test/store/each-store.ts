import { afterAll, afterEach, beforeAll, describe, it } from "@jest/globals";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/port.ts";
import { MemoryDatabase, openMemoryStore } from "../sim/store/memory-store.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./start-postgres.ts";

export interface StorePlace {
  /** Opens a store on a new, empty database. */
  open(): Promise<Store>;
  /** Opens the same database once more: another instance. */
  openAgain(): Promise<Store>;
}

/** Runs the same suite on SQLite, on the simulation's store and, where it is installed, on a real PostgreSQL. */
export function describeEachStore(title: string, suite: (place: StorePlace) => void): void {
  describe(`${title}, in the simulation's memory`, () => {
    let database = new MemoryDatabase();
    suite({
      open: async () => openMemoryStore((database = new MemoryDatabase())),
      openAgain: async () => openMemoryStore(database),
    });
  });

  describe(`${title}, on SQLite`, () => {
    let folder = "";
    let file = "";
    let files = 0;
    beforeAll(() => {
      folder = mkdtempSync(path.join(tmpdir(), "taskfleet-store-"));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    suite(
      keepingTrack(
        () => ({ file: (file = path.join(folder, `${(files += 1)}.db`)) }),
        () => ({ file }),
      ),
    );
  });

  const bin = findPostgres();
  if (bin === null) {
    it.skip(`${title}, on PostgreSQL: no server is installed on this machine`, () => undefined);
    return;
  }
  describe(`${title}, on PostgreSQL`, () => {
    let server: PostgresServer | null = null;
    let url = "";
    beforeAll(() => {
      server = startPostgres(bin);
    });
    afterAll(() => server?.stop());
    suite(
      keepingTrack(
        () => ({ url: (url = server?.createDatabase() ?? "") }),
        () => ({ url }),
      ),
    );
  });
}

type Options = Parameters<typeof openStore>[0];

function keepingTrack(first: () => Options, again: () => Options): StorePlace {
  const open: Store[] = [];
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close();
  });
  const track = async (options: Options): Promise<Store> => {
    const store = await openStore(options);
    open.push(store);
    return store;
  };
  return { open: () => track(first()), openAgain: () => track(again()) };
}
