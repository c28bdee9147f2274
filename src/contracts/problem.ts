/**
 * One thing that is wrong with a document, told so that its writer (a person, a model, another
 * tool) can mend it without guessing.
 */
export interface Problem {
  /** RFC 6901 pointer to the offending value; for a missing key, to the object that lacks it; `""` is the document. */
  readonly pointer: string;
  /** Stable name of the broken rule, e.g. `dep-unknown`. */
  readonly rule: string;
  /** One sentence for people, complete without the other fields. */
  readonly message: string;
  /** What stands there, shortened. */
  readonly found?: string;
  /** What would be accepted. */
  readonly allowed?: string;
  /** 1-based position in the text the document was read from. */
  readonly line?: number;
  /** 1-based, counted in UTF-16 code units. */
  readonly column?: number;
}
