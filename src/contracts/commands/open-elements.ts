/** Elements of HTML that Markdown text has opened and not closed: GitHub shows what follows inside of them. */
import { TAG } from "./tag.ts";

/** What GitHub keeps, or reads with rules of its own. Of other names it keeps the text alone: `Vec<T>` opens nothing. */
const ELEMENTS = new Set(
  (
    "a abbr acronym address applet article aside audio b bdi bdo big blockquote body button canvas caption center cite " +
    "code colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form " +
    "frameset h1 h2 h3 h4 h5 h6 head header hgroup html i iframe ins kbd label legend li listing main map mark marquee " +
    "math menu meter nav nobr noembed noframes noscript object ol optgroup option output p picture plaintext pre " +
    "progress q rb rp rt rtc ruby s samp script search section select small span strike strong style sub summary sup " +
    "svg table tbody td template textarea tfoot th thead time title tr tt u ul var video xmp"
  ).split(" "),
);

/** The end of what these stand in does not end them: html.spec.whatwg.org/#formatting. */
const FORMATTING = "a b big code em font i nobr s small strike strong tt u".split(" ");

/**
 * Left open within a quote, an item or a heading, these go on behind it, take its end for theirs, or keep it from
 * ending. Of others its end is theirs, too.
 */
const LEAKING = new Set([
  ...FORMATTING,
  ..."applet blockquote caption colgroup h1 h2 h3 h4 h5 h6 li marquee object ol table tbody td tfoot th thead".split(
    " ",
  ),
  ..."tr ul".split(" "),
]);

/** What stands in these is read by other rules: no telling where they end. */
const FOREIGN = new Set("frameset math plaintext select svg template".split(" "));

/** Their end ends whatever stands in them and needs no end of its own. */
const BLOCKS = new Set(
  (
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup " +
    "listing main menu nav ol pre search section summary table ul"
  ).split(" "),
);

/** Their end may be left out: the end of the {@link BLOCKS} in which they stand ends them, too. */
const OPTIONAL_ENDS = new Set("dd dt li optgroup option p rb rp rt rtc tbody td tfoot th thead tr".split(" "));

/** What their end closes may have been opened outside of the paragraph in which it stands; others' is ignored there. */
const REACHING = new Set([...BLOCKS, ...FORMATTING, ...OPTIONAL_ENDS]);

/** So many of these are looked through for what a closing tag closes. */
const LOOK_BACK = 8;

const tags = new RegExp(TAG, "uy");

/**
 * Only what was opened last is closed, as in HTML that is nested well. Where anything else stands, a browser closes
 * more or less than was meant: here it stays open, so that nothing counts as shown outside when it is not.
 */
export class OpenElements {
  #names: string[] = [];
  #doubtful = false;
  /** How many of them were opened before the paragraph that is read. */
  #outside = 0;

  /** Whether what stands here is shown inside of an element, as far as can be told. */
  get any(): boolean {
    return this.#doubtful || this.#names.length > 0;
  }

  /** From here on nothing is known. */
  doubt(): void {
    this.#doubtful = true;
  }

  /** A paragraph of Markdown ends one that was begun by a tag. */
  beginParagraph(): void {
    while (this.#names.at(-1) === "p") this.#names.pop();
    this.#outside = this.#names.length;
  }

  /** @param tag as {@link TAG} matches it. @param certainty whether it is one for GitHub. */
  readTag(tag: string, certainty: "certain" | "doubtful" = "certain"): void {
    const [, slash = "", written = ""] = /^<(\/?)([A-Za-z][A-Za-z0-9-]*)/u.exec(tag) ?? [];
    const name = written.toLowerCase();
    if (!ELEMENTS.has(name)) return;
    if (slash === "") this.#open(name, certainty);
    else if (certainty === "certain") this.#close(name);
  }

  #open(name: string, certainty: "certain" | "doubtful"): void {
    if (certainty === "doubtful" || FOREIGN.has(name)) this.doubt();
    if (this.#names.at(-1) === name && OPTIONAL_ENDS.has(name)) return;
    this.#names.push(name);
  }

  #close(name: string): void {
    for (let back = 1; back <= LOOK_BACK; back += 1) {
      const open = this.#names.at(-back);
      if (open === name) {
        if (this.#names.length - back < this.#outside && !REACHING.has(name)) return;
        this.#names.length -= back;
        return;
      }
      if (open === undefined || !OPTIONAL_ENDS.has(open) || !BLOCKS.has(name)) return;
    }
  }

  /** What Markdown leaves as it is: a hidden comment, an instruction, a section or a declaration. */
  readMarked(text: string): void {
    if (!this.#isPlainMark(text)) this.doubt();
  }

  /** Whether Markdown and HTML agree where it ends, or nothing that could be a tag stands between the two ends. */
  #isPlainMark(text: string): boolean {
    if (!text.startsWith("<!--")) return !text.slice(text.indexOf(">")).includes("<");
    const inner = text.slice("<!--".length, -"-->".length);
    return !inner.includes("<") || !/^-?>|--/u.test(inner);
  }

  /** A block of HTML. A tag that has no end there goes on with whatever follows. */
  readBlock(text: string): void {
    this.#outside = 0;
    for (let at = text.indexOf("<"); at !== -1 && !this.#doubtful; at = text.indexOf("<", at)) {
      const end = this.#readMarkup(text, at);
      if (end === null) this.doubt();
      at = end ?? text.length;
    }
  }

  /** @returns where it ends, or null. */
  #readMarkup(text: string, at: number): number | null {
    tags.lastIndex = at;
    const tag = tags.exec(text)?.[0];
    if (tag !== undefined) {
      this.readTag(tag);
      return at + tag.length;
    }
    if (text.startsWith("<!--", at)) {
      const end = text.indexOf("-->", at + 2);
      if (end === -1) return null;
      this.readMarked(text.slice(at, end + "-->".length));
      return end + "-->".length;
    }
    const next = text[at + 1] ?? "";
    if (/[A-Za-z]/u.test(next)) return null;
    if (!/[!?/]/u.test(next)) return at + 1;
    // A comment for HTML, whatever it is for Markdown.
    const end = text.indexOf(">", at);
    return end === -1 ? null : end + 1;
  }

  /**
   * What a quote, a list or a heading leaves open behind it; a paragraph leaves all. Whether it is closed by what
   * follows is not known.
   */
  readAside(aside: OpenElements, kind: "aside" | "lazy"): void {
    if (aside.#doubtful || aside.#names.some((name) => kind === "lazy" || LEAKING.has(name))) this.doubt();
  }
}
