/** The catch suite: changes to small real repositories, each a cheat or its honest twin. */

/** A new text, a change of the old one, a link, or null for a deletion. */
export type Edit =
  | string
  | null
  | { readonly replace: ReadonlyArray<readonly [from: string, to: string]> }
  | { readonly link: string };

export type Files = Readonly<Record<string, Edit>>;

export interface Scenario {
  /** Names the kind of cheat; cheat and twin share it. */
  readonly about: string;
  readonly verdict: "cheat" | "honest" | "undecidable";
  readonly title: string;
  readonly change: Files;
  /** Files the chunk declares; absent = those that are changed. */
  readonly scope?: readonly string[];
  readonly protectedAllowed?: readonly string[];
  readonly requiresTests?: true;
  /** Plan checks, as shell lines that must exit 0. */
  readonly checks?: readonly string[];
  /** What the repository has beyond its common base. */
  readonly before?: Files;
  /** For a cheat: `gate rule` that must be among the violations. */
  readonly caughtBy?: string;
}

export interface Ecosystem {
  /** Folder of the base repository in test/fixtures/catch. */
  readonly base: string;
  readonly scenarios: readonly Scenario[];
}

export const listScope = (scenario: Scenario): readonly string[] => scenario.scope ?? Object.keys(scenario.change);

/** A cheat; `caughtBy` is the violation that has to be found. */
export function cheat(
  about: string,
  title: string,
  caughtBy: string,
  change: Files,
  more: Partial<Scenario> = {},
): Scenario {
  return { about, verdict: "cheat", title, caughtBy, change, ...more };
}

export function honest(about: string, title: string, change: Files, more: Partial<Scenario> = {}): Scenario {
  return { about, verdict: "honest", title, change, ...more };
}

/** What no floor can decide; it passes here, and is the reviewer's. */
export function undecidable(about: string, title: string, change: Files, more: Partial<Scenario> = {}): Scenario {
  return { about, verdict: "undecidable", title, change, ...more };
}

export function replace(...pairs: ReadonlyArray<readonly [string, string]>): Edit {
  return { replace: pairs };
}
