/**
 * Everything that may or may not happen in a story, by name. What happened is noted in words; a name can
 * be suppressed, which is how a story is shrunk: the rest of it stays as it was.
 */
import type { Chance } from "../chance.ts";
import type { VirtualTime } from "../virtual-time.ts";

export interface Incident {
  readonly id: string;
  readonly at: number;
  readonly words: string;
}

export class Events {
  readonly incidents: Incident[] = [];
  readonly #chance: Chance;
  readonly #time: VirtualTime;
  readonly #suppressed: ReadonlySet<string>;
  /** Nothing goes wrong any more from this time on: what was promised must come to an end. */
  readonly #calmFrom: number;

  constructor(chance: Chance, time: VirtualTime, suppressed: ReadonlySet<string>, calmFrom: number) {
    this.#chance = chance;
    this.#time = time;
    this.#suppressed = suppressed;
    this.#calmFrom = calmFrom;
  }

  happens(id: string, probability: number, words: string): boolean {
    if (this.#time.now() >= this.#calmFrom || !this.#chance.happens(id, probability)) return false;
    return this.note(id, words);
  }

  /** Something that was decided elsewhere to happen now. @returns false when the story goes without it. */
  note(id: string, words: string): boolean {
    if (this.#suppressed.has(id)) return false;
    this.incidents.push({ id, at: this.#time.now(), words });
    return true;
  }

  drawConclusion(trouble: string, label: string): string {
    if (trouble === "cancelled") return "cancelled";
    if (trouble === "forged")
      return this.#chance.pick(`conclusion:${label}`, ["failure", "cancelled", "timed_out", "something_new"]);
    if (trouble !== "no-result") return "success";
    return this.#chance.pick(`conclusion:${label}`, [
      "failure",
      "timed_out",
      "startup_failure",
      "skipped",
      "success",
      "something_new",
    ]);
  }

  drawCi(label: string, probability: number): string {
    if (!this.happens(`ci:${label}`, probability, "the repository's own checks do not pass")) return "success";
    return this.#chance.pick(`ci-conclusion:${label}`, [
      "failure",
      "cancelled",
      "timed_out",
      "skipped",
      "neutral",
      "action_required",
      "stale",
      "startup_failure",
      "something_new",
    ]);
  }
}
