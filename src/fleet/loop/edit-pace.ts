/**
 * When a text that is edited over and over may be edited next. Edits count as content, which GitHub limits by
 * the hour (500 per installation, docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api),
 * and progress is also shown by what the texts link to. So all texts of an installation share a part of that
 * limit, and the more there is to show, the rarer each of them is edited. Only a text that is not known to say
 * what people are asked is edited at once. Kept in memory: the next process begins anew.
 */

/** Edits of one text closer together than this are one edit. */
const PER_TEXT_MS = 30_000;
/** A hundred an hour. */
const PER_EDIT_MS = 36_000;
/** So many at once after a quiet time. */
const BURST = 10;

interface Shown {
  readonly at: number;
  readonly asked: string;
}

export class EditPace {
  readonly #shown = new Map<string, Shown>();
  readonly #reserved = new Map<string, number>();
  /** By installation: when everything reserved so far would be done at an even pace. */
  readonly #even = new Map<number, number>();

  /**
   * @param text names the text among all there are.
   * @param asked what people are asked at present, "" for nothing; any words that differ when the questions do.
   * @returns the time (ms) from which it may be edited; it stays reserved until it is used.
   */
  reserve(installation: number, text: string, asked: string, now: number): number {
    const shown = this.#shown.get(text);
    if (asked !== "" && shown?.asked !== asked) return now;
    const known = this.#reserved.get(text);
    if (known !== undefined) return known;
    const earliest = Math.max(now, (shown?.at ?? Number.NEGATIVE_INFINITY) + PER_TEXT_MS);
    const even = Math.max(this.#even.get(installation) ?? 0, earliest) + PER_EDIT_MS;
    this.#even.set(installation, even);
    const at = Math.max(earliest, even - BURST * PER_EDIT_MS);
    this.#reserved.set(text, at);
    return at;
  }

  /** It was written or edited just now. */
  use(text: string, asked: string, now: number): void {
    this.#reserved.delete(text);
    this.#shown.set(text, { at: now, asked });
  }

  /** Texts whose names begin like this are not edited any more. */
  forget(prefix: string): void {
    for (const map of [this.#shown, this.#reserved])
      for (const text of map.keys()) if (text.startsWith(prefix)) map.delete(text);
  }
}
