/** What the gates see: captures and the change as plain data. Everything else they may not know. */
import type { Captures } from "../contracts/captures.ts";
import type { FloorConfig } from "../contracts/config.ts";
import type { CiInput } from "./ci/ci-input.ts";

/** One file of the commit's difference to its base. A rename is a delete and an add, or has `previousPath`. */
export interface Change {
  readonly path: string;
  readonly previousPath: string | null;
  readonly kind: "add" | "modify" | "delete";
  /** Git mode after the change, e.g. `100644`; before it for a delete. */
  readonly mode: string;
  /** For mode 120000: what the link points at. */
  readonly symlinkTarget?: string;
  /**
   * What git makes of the new file, whether or not its text is loaded: a NUL among its first 8,000 bytes makes it
   * binary (buffer_is_binary in git's xdiff-interface.c); a link is text. Absent for a delete, a submodule, or when
   * the caller did not look.
   */
  readonly content?: "text" | "binary";
  /** The new text; absent for a delete, a binary file, or when the caller did not load it. */
  readonly text?: string;
  /** The text before; needed only where a protected file is judged by its parts (`package.json`). */
  readonly previousText?: string;
}

export interface FloorScope {
  /** Exact paths the change may touch. */
  readonly allowed: readonly string[];
  /** Protected paths that the plan declares and people approved. */
  readonly protectedAllowed: readonly string[];
  readonly requiresTests: boolean;
}

export interface ExpectedCheck {
  /** A chunk's id, or ACCEPTANCE_OWNER (src/contracts/criteria.ts). */
  readonly owner: string;
  readonly index: number;
  readonly desc: string;
  readonly run: string;
  readonly cwd?: string;
  readonly expectExit: number;
}

export interface FloorInput {
  readonly subject: "chunk" | "candidate" | "feature";
  /** The commit that is judged; captures of any other are refused. */
  readonly commit: string;
  readonly captures: Captures;
  /** Captures of the fork commit. */
  readonly baseline: Captures;
  /** Captures of the last verified integration tip, if it is not the fork commit. */
  readonly tip: Captures | null;
  /** Captures of the chunk's own base, when they are known. */
  readonly base: Captures | null;
  /** null = nothing is declared (a floor outside a plan): gates 6 and 7 judge only what needs no plan. */
  readonly scope: FloorScope | null;
  /** The whole difference of `commit` to its base, without the App's own files under `.taskfleet/<run key>/`. */
  readonly changes: readonly Change[];
  /** All paths of the commit's tree, when known: names that collide on a case-insensitive disk are found by it. */
  readonly treePaths?: readonly string[];
  readonly expectedChecks: readonly ExpectedCheck[];
  /** The effective configuration: what is not in it is not configured. */
  readonly config: FloorConfig;
  /** `protected:` of the configuration: globs beside the built-in ones. */
  readonly protectedPatterns: readonly string[];
  /** The repository's own checks on the commit; null = not gathered for this subject. */
  readonly ci: CiInput | null;
}
