import { DatabaseSync } from "node:sqlite";
import { mapStoreError, StoreFailure } from "./store-failure.ts";

/** Held by this process until it is released or the process ends, however it ends. */
export interface Claim {
  release(): void;
}

/**
 * Claims a database file for this process alone, by a lock on `<file>.claim` that the operating system
 * gives back when the process is gone.
 *
 * @throws StoreFailure of kind `locked` while another process has it.
 */
export function claimFile(file: string): Claim {
  const lock = new DatabaseSync(`${file}.claim`, { timeout: 0 });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    const failure = mapStoreError(error);
    if (failure.kind !== "locked") throw failure;
    throw new StoreFailure("locked", `Another process of Taskfleet serves ${file}: stop it first.`, { cause: error });
  }
  return { release: () => lock.close() };
}
