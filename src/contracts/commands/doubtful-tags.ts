/**
 * Where a tag in a paragraph may be none for GitHub: in the address or title of a link, in the definition of
 * one, in a formula. Asked with growing places, in time proportional to the paragraph's length.
 */
export class DoubtfulTags {
  readonly #text: string;
  readonly #formula: readonly [from: number, to: number];
  /** From here on anything may be part of a title. */
  #title: number;
  #address = 0;
  #link: number;

  constructor(text: string) {
    this.#text = text;
    this.#formula = [text.indexOf("$"), text.lastIndexOf("$")];
    this.#title = /^\s*\[/u.test(text) && text.includes("]:") ? 0 : Number.POSITIVE_INFINITY;
    this.#link = text.indexOf("](");
  }

  has(at: number): boolean {
    const [from, to] = this.#formula;
    while (this.#link !== -1 && this.#link < at) {
      if (this.#link >= this.#address) this.#readLink(this.#link + "](".length);
      // A link within what may be an address: the two are not told apart.
      else if (this.#text[this.#link + "](".length] === "<") this.#title = Math.min(this.#title, this.#link);
      this.#link = this.#text.indexOf("](", this.#link + 1);
    }
    return at >= this.#title || at < this.#address || (at > from && at < to);
  }

  /** An address has no white space, unless it stands in brackets; what follows it in quotes or brackets is a title. */
  #readLink(from: number): void {
    const begin = skip(/\s*/uy, this.#text, from);
    const end = this.#text[begin] === "<" ? skip(/<[^<>\n]*>?/uy, this.#text, begin) : skip(/\S*/uy, this.#text, begin);
    this.#address = Math.max(end, begin + 1);
    const next = skip(/\s*/uy, this.#text, end);
    if (next > end && /["'(]/u.test(this.#text[next] ?? "")) this.#title = Math.min(this.#title, next);
  }
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
