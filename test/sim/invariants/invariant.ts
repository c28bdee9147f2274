import type { RecordedFact } from "../../../src/engine/fact.ts";
import type { Laboratory } from "../agents/captures.ts";
import type { GitHubModel } from "../model/github-model.ts";
import type { Happening } from "../model/happening.ts";
import type { Scenario } from "../scenario.ts";
import type { Ledger } from "./ledger.ts";

export interface Watch {
  readonly model: GitHubModel;
  readonly laboratory: Laboratory;
  readonly scenario: Scenario;
  /** Of the newest run: a second one of the issue, or one that was read back, begins a new book. */
  ledger: Ledger;
  /** @param name of the invariant, as design section 4 numbers them. */
  readonly violated: (name: string, what: string) => void;
}

/** One rule that holds at every moment. Facts are shown before they are booked, happenings as they happen. */
export interface Invariant {
  readonly onFact?: (recorded: RecordedFact) => void;
  readonly onHappening?: (happening: Happening) => void;
}
