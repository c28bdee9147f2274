/** What the processes of a story share and what outlives them: their database. */
import type { Store } from "../../../src/store/port.ts";
import { MemoryDatabase, openMemoryStore } from "./memory-store.ts";

export interface StoryDatabase {
  /** A connection of a process's own; whoever opened it closes it. */
  readonly open: () => Promise<Store>;
  /** Everything is gone, and with it every connection. */
  readonly lose: () => Promise<void>;
  /** The story is over: nothing is left behind. */
  readonly close: () => Promise<void>;
}

/** Each story has one of its own. */
export type CreateDatabase = () => StoryDatabase;

export function createMemoryDatabase(): StoryDatabase {
  const database = new MemoryDatabase();
  return {
    open: async () => openMemoryStore(database),
    lose: async () => database.clear(),
    close: async () => undefined,
  };
}
