/** What makes a run stand still, read from its facts alone. */
import type { Fact, RecordedFact } from "../../../src/engine/fact.ts";

export interface Stop {
  readonly words: string;
  readonly since: number;
  /** How the key of the question begins that people must be asked; null where a person said so themselves. */
  readonly question: string | null;
}

/** @returns the newest reason that nothing has taken back, or null. */
export function findStop(facts: readonly RecordedFact[]): Stop | null {
  let stop: Stop | null = null;
  let feature = 0;
  const closed = new Set<number>();
  let renewals = 0;
  let renewing = false;
  for (const { fact, at } of facts) {
    const set = (words: string, question: string | null): void => {
      stop = { words, since: at, question };
    };
    switch (fact.kind) {
      case "CommandReceived":
        stop = obey(stop, fact, at);
        break;
      case "RunRebuilt":
        set("the loss of the database", "need:rebuilt");
        break;
      case "IntentEdited":
        if (fact.writer) set("an edit of the issue", "need:edited:");
        break;
      case "FeaturePullOpened":
        feature = fact.number;
        break;
      case "PullClosed":
        closed.add(fact.number);
        break;
      case "PullSettled":
        if (fact.outcome === "closed" && fact.number === feature && !closed.has(fact.number))
          set("the closing of the feature pull request", "need:feature-closed:");
        break;
      case "FloorComputed":
        if (fact.result.toolchainChanged === undefined || renewing) break;
        renewing = true;
        renewals += 1;
        if (renewals > 1) set("another change of the toolchain", "need:toolchain:");
        break;
      case "PlanCommitted":
        renewing = false;
        break;
      case "FeatureMerged":
      case "RunCancelled":
        stop = null;
        break;
      default:
    }
  }
  return stop;
}

function obey(stop: Stop | null, { name }: Extract<Fact, { kind: "CommandReceived" }>, at: number): Stop | null {
  if (name === "pause") return { words: "a /pause", since: at, question: null };
  if (name === "cancel" || name === "resume") return null;
  // It may end a pause; whether it has is for the run to know, and somebody has spoken.
  if (name === "replan" && stop !== null) return { ...stop, question: null };
  return stop;
}
