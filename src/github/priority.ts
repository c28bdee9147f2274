import { AsyncLocalStorage } from "node:async_hooks";

/** Who goes first when GitHub's limits make requests wait. */
export type Priority = "landing" | "dispatch" | "cosmetic";

const order: Readonly<Record<Priority, number>> = { landing: 0, dispatch: 1, cosmetic: 2 };

const current = new AsyncLocalStorage<Priority>();

/** Every request made inside `work` has this priority, whatever its operation's own is. */
export function withPriority<Result>(priority: Priority, work: () => Promise<Result>): Promise<Result> {
  return current.run(priority, work);
}

export function currentPriority(): Priority | undefined {
  return current.getStore();
}

export function comparePriorities(a: Priority, b: Priority): number {
  return order[a] - order[b];
}
