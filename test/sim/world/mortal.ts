/** A process that may die between any two effects: what it was doing then simply never goes on. */
import type { Faults } from "../scenario.ts";
import type { Events } from "./events.ts";

/** A promise nobody ever settles: the rest of a dead process's work. */
function never<Value>(): Promise<Value> {
  return new Promise<Value>(() => undefined);
}

export class Mortal {
  #dead = false;
  readonly #faults: Faults;
  readonly #events: Events;
  readonly #counts: Map<string, number>;
  readonly #onDeath: () => void;

  constructor(faults: Faults, events: Events, counts: Map<string, number>, onDeath: () => void) {
    this.#faults = faults;
    this.#events = events;
    this.#counts = counts;
    this.#onDeath = onDeath;
  }

  get dead(): boolean {
    return this.#dead;
  }

  kill(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#onDeath();
  }

  /** One step of the process: a request or a change of the database. */
  async call<Value>(name: string, perform: () => Promise<Value>): Promise<Value> {
    if (this.#dead) return never();
    const n = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, n);
    if (this.#events.happens(`crash-before:${name}#${n}`, this.#faults.crash / 2, `the process dies before ${name}`)) {
      this.kill();
      return never();
    }
    let result: Value;
    try {
      result = await perform();
    } catch (error) {
      if (this.#dead) return never();
      throw error;
    }
    if (this.#dead) return never();
    if (this.#events.happens(`crash-after:${name}#${n}`, this.#faults.crash / 2, `the process dies after ${name}`)) {
      this.kill();
      return never();
    }
    return result;
  }
}
