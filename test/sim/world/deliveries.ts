/** Webhooks on their way: dropped, doubled, delayed by hours, out of order, or refused by a process that is down. */
import { hash } from "node:crypto";
import type { FailedDelivery } from "../../../src/github/port.ts";
import type { Chance } from "../chance.ts";
import type { Faults } from "../scenario.ts";
import type { VirtualTime } from "../virtual-time.ts";
import type { Events } from "./events.ts";

export interface SentDelivery {
  readonly id: string;
  readonly guid: string;
  readonly event: string;
  readonly payload: unknown;
  readonly sentAt: number;
}

/** @returns whether somebody took it. */
export type Receiver = (delivery: SentDelivery) => Promise<boolean>;

export class Deliveries {
  readonly #failed = new Map<string, SentDelivery>();
  readonly #sent = new Map<string, SentDelivery>();
  #n = 0;
  #waiting = 0;
  readonly #seed: number;
  readonly #time: VirtualTime;
  readonly #faults: Faults;
  readonly #events: Events;
  readonly #chance: Chance;
  readonly #receive: Receiver;

  constructor(parts: {
    seed: number;
    time: VirtualTime;
    faults: Faults;
    events: Events;
    chance: Chance;
    receive: Receiver;
  }) {
    this.#seed = parts.seed;
    this.#time = parts.time;
    this.#faults = parts.faults;
    this.#events = parts.events;
    this.#chance = parts.chance;
    this.#receive = parts.receive;
  }

  /** How many are on their way. */
  get waiting(): number {
    return this.#waiting;
  }

  send(event: string, payload: unknown): void {
    const n = (this.#n += 1);
    const id = `${event}#${n}`;
    const delivery = { id: `${n}`, guid: formatGuid(this.#seed, n), event, payload, sentAt: this.#time.now() };
    this.#sent.set(delivery.id, delivery);
    // Nothing is lost for ever: the sweep stands in for it.
    if (this.#events.happens(`drop:${id}`, this.#faults.dropped, `the webhook ${event} is lost`)) {
      if (this.#chance.happens(`known:${id}`, 0.5)) this.#failed.set(delivery.id, delivery);
      return;
    }
    const delayed = this.#events.happens(`delay:${id}`, this.#faults.delayed, `the webhook ${event} comes late`);
    const ms =
      this.#chance.int(`travel:${id}`, 200, 3_000) +
      (delayed ? this.#chance.int(`delay-ms:${id}`, 10_000, 3 * 60 * 60_000) : 0);
    this.#travel(delivery, ms);
    if (this.#events.happens(`double:${id}`, this.#faults.doubled, `the webhook ${event} comes twice`))
      this.#travel(delivery, ms + this.#chance.int(`double-ms:${id}`, 0, 20 * 60_000));
  }

  #travel(delivery: SentDelivery, ms: number): void {
    this.#waiting += 1;
    this.#time.after(ms, () => {
      this.#waiting -= 1;
      // Until it is acknowledged it counts as failed: a process may die over it.
      this.#failed.set(delivery.id, delivery);
      void this.#offer(delivery);
    });
  }

  async #offer(delivery: SentDelivery): Promise<void> {
    if (await this.#receive(delivery)) this.#failed.delete(delivery.id);
  }

  listFailed(since: number): readonly FailedDelivery[] {
    return [...this.#failed.values()]
      .filter((delivery) => delivery.sentAt >= since)
      .map(({ id, guid, event, sentAt }) => ({ id, guid, event, deliveredAt: sentAt }))
      .reverse();
  }

  redeliver(id: string): void {
    const delivery = this.#sent.get(id);
    if (delivery === undefined) return;
    this.#failed.delete(id);
    this.#travel(delivery, 1_000);
  }
}

function formatGuid(seed: number, n: number): string {
  return hash("sha1", `${seed}/${n}`).slice(0, 32);
}
