/**
 * Seeded chance without a sequence: every draw is a function of the seed and of a label that says what
 * is drawn. So taking one event out of a story leaves every other draw as it was, and a story replays
 * exactly whatever the order in which things are asked.
 */
export class Chance {
  readonly #seed: number;

  constructor(seed: number, scope = "") {
    this.#seed = scope === "" ? seed >>> 0 : hash(scope, seed);
  }

  /** An independent source for one part of the world. */
  scope(name: string): Chance {
    return new Chance(this.#seed, name);
  }

  /** From 0 (included) to 1 (excluded). */
  unit(label: string): number {
    return hash(label, this.#seed) / 4_294_967_296;
  }

  happens(label: string, probability: number): boolean {
    return probability > 0 && this.unit(label) < probability;
  }

  /** A whole number from `min` to `max`, both included. */
  int(label: string, min: number, max: number): number {
    return min + Math.floor(this.unit(label) * (max - min + 1));
  }

  pick<Item>(label: string, items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(this.unit(label) * items.length)] ?? items[0];
  }

  /** One of the names, as often as its weight says. */
  weigh<Name extends string>(label: string, weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries(weights) as Array<[Name, number]>;
    const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
    let at = this.unit(label) * total;
    for (const [name, weight] of entries) {
      at -= weight;
      if (at < 0) return name;
    }
    const last = entries.at(-1);
    if (last === undefined) throw new Error("nothing to choose from");
    return last[0];
  }
}

/** 32 bits of a text and a seed, well mixed (the finaliser of MurmurHash3: github.com/aappleby/smhasher). */
function hash(text: string, seed: number): number {
  let value = seed ^ 0x9e37_79b9;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x0100_0193);
    value ^= value >>> 15;
  }
  value = Math.imul(value ^ (value >>> 16), 0x85eb_ca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2_ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
