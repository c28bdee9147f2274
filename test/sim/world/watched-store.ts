import type { RunAddress, Store, StoredFact } from "../../../src/store/port.ts";
import type { Mortal } from "./mortal.ts";

export interface Watcher {
  /** A fact is in the store now. */
  readonly recorded: (address: RunAddress, fact: StoredFact) => void;
  /** Counts what is under way, for stores whose work takes real time. */
  readonly begun: () => void;
  readonly ended: () => void;
}

/** The store as one process sees it: it dies with the process, and whoever watches hears of every fact. */
export function watchStore(store: Store, mortal: Mortal, watcher: Watcher): Store {
  const heard: Store = {
    ...store,
    async createRun(record, facts) {
      await store.createRun(record, facts);
      facts.forEach((fact, index) => watcher.recorded(record, { ...fact, seq: index + 1 }));
    },
    async appendFacts(address, facts, after) {
      const stored = await store.appendFacts(address, facts, after);
      for (const fact of stored) watcher.recorded(address, fact);
      return stored;
    },
  };
  const watched: Record<string, unknown> = {};
  for (const [method, call] of Object.entries(heard)) {
    watched[method] = (...args: unknown[]) =>
      mortal.call(`store.${method}`, async () => {
        watcher.begun();
        try {
          return await Promise.resolve(Reflect.apply(call, heard, args));
        } finally {
          watcher.ended();
        }
      });
  }
  return watched as unknown as Store;
}
