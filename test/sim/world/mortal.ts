/**
 * A process that may die between any two effects: what it was doing then simply never goes on. Or it stands still
 * for minutes, its timers with it, and goes on with what it was about to do.
 */
import type { Chance } from "../chance.ts";
import type { Faults } from "../scenario.ts";
import type { VirtualTime } from "../virtual-time.ts";
import type { Events } from "./events.ts";

const SHORTEST_STALL_MS = 2 * 60_000;
const LONGEST_STALL_MS = 10 * 60_000;

/** A promise nobody ever settles: the rest of a dead process's work. */
function never<Value>(): Promise<Value> {
  return new Promise<Value>(() => undefined);
}

export interface MortalParts {
  readonly time: VirtualTime;
  readonly faults: Faults;
  readonly events: Events;
  readonly chance: Chance;
  /** Calls so far by name, over all processes. */
  readonly mortalCounts: Map<string, number>;
  readonly onDeath: () => void;
  /** @param until when it goes on (ms). */
  readonly onStall: (until: number) => void;
}

export class Mortal {
  #dead = false;
  #stillUntil = 0;
  readonly #parts: MortalParts;

  constructor(parts: MortalParts) {
    this.#parts = parts;
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Whether it stands still: it takes nothing and answers nobody. */
  get still(): boolean {
    return this.#parts.time.now() < this.#stillUntil;
  }

  kill(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#parts.onDeath();
  }

  /** A timer of the process: it is silent while the process stands still. */
  after(ms: number, run: () => void): () => void {
    const { time } = this.#parts;
    let disarm = (): void => undefined;
    const arm = (wait: number): void => {
      disarm = time.after(wait, () => {
        if (this.#dead) return;
        if (this.still) arm(this.#stillUntil - time.now());
        else run();
      });
    };
    arm(ms);
    return () => disarm();
  }

  /** One step of the process: a request or a change of the database. */
  async call<Value>(name: string, perform: () => Promise<Value>): Promise<Value> {
    if (this.#dead) return never();
    const { faults, mortalCounts } = this.#parts;
    const n = (mortalCounts.get(name) ?? 0) + 1;
    mortalCounts.set(name, n);
    if (this.#dies(`crash-before:${name}#${n}`, `the process dies before ${name}`)) return never();
    // What is sent to the database may come there late; what is asked of GitHub is sent when it is decided.
    if (name === "store.appendFacts") this.#mayStandStill(`stall-before:${name}#${n}`, `before ${name}`);
    if (faults.stall > 0 && (await this.#untilAwake()) === "dead") return never();
    let result: Value;
    try {
      result = await perform();
    } catch (error) {
      if (this.#dead || (faults.stall > 0 && (await this.#untilAwake()) === "dead")) return never();
      throw error;
    }
    if (this.#dead) return never();
    if (this.#dies(`crash-after:${name}#${n}`, `the process dies after ${name}`)) return never();
    this.#mayStandStill(`stall-after:${name}#${n}`, `after ${name}`);
    if (faults.stall > 0 && (await this.#untilAwake()) === "dead") return never();
    return result;
  }

  #dies(id: string, words: string): boolean {
    const { faults, events } = this.#parts;
    if (!events.happens(id, faults.crash / 2, words)) return false;
    this.kill();
    return true;
  }

  #mayStandStill(id: string, where: string): void {
    const { time, faults, events, chance, onStall } = this.#parts;
    if (this.still || !events.happens(id, faults.stall, `the process stands still ${where}`)) return;
    this.#stillUntil = time.now() + chance.int(id, SHORTEST_STALL_MS, LONGEST_STALL_MS);
    onStall(this.#stillUntil);
  }

  async #untilAwake(): Promise<"alive" | "dead"> {
    while (!this.#dead && this.still) await this.#parts.time.sleep(this.#stillUntil - this.#parts.time.now());
    return this.#dead ? "dead" : "alive";
  }
}
