/** How long a run's own things wait from the moment they may be done, by the facts as they are recorded. */
import type { Fact } from "../../src/engine/fact.ts";
import type { Store } from "../../src/store/port.ts";

export interface Waits {
  /** From what made a landing possible, the verdict or its candidate's floor, to the landing, in ms. */
  readonly landings: number[];
  /** From an attempt's floor to the check that shows it, in ms. */
  readonly checks: number[];
  landed: number;
  pulls: number;
}

interface RunTimes {
  readonly verdicts: Map<string, number>;
  readonly floors: Map<string, number>;
  candidate: number;
}

/** The store, and what passes through it. */
export function watchWaits(store: Store): { readonly store: Store; readonly waits: Waits } {
  const waits: Waits = { landings: [], checks: [], landed: 0, pulls: 0 };
  const runs = new Map<string, RunTimes>();
  return {
    waits,
    store: {
      ...store,
      async appendFacts(address, facts, after) {
        const stored = await store.appendFacts(address, facts, after);
        const key = `${address.repositoryId}/${address.runKey}`;
        const times = runs.get(key) ?? { verdicts: new Map(), floors: new Map(), candidate: 0 };
        runs.set(key, times);
        for (const { at, fact } of stored) note(waits, times, JSON.parse(fact) as Fact, at);
        return stored;
      },
    },
  };
}

function note(waits: Waits, times: RunTimes, fact: Fact, at: number): void {
  switch (fact.kind) {
    case "VerdictVerified":
      if (fact.subject.kind === "attempt") times.verdicts.set(fact.subject.chunk, at);
      return;
    case "FloorComputed":
      if (fact.subject.kind === "candidate") times.candidate = at;
      if (fact.subject.kind === "attempt") times.floors.set(`${fact.subject.chunk}:${fact.subject.attempt}`, at);
      return;
    case "ChunksLanded": {
      const from = fact.via === "candidate" ? times.candidate : times.verdicts.get(fact.chunks[0] ?? "");
      waits.landings.push(at - (from ?? at));
      waits.landed += fact.chunks.length;
      return;
    }
    case "ChunkPullOpened":
      waits.pulls += 1;
      return;
    case "CheckPublished": {
      const attempt = /:floor:(.+:\d+)$/u.exec(fact.externalId)?.[1] ?? "";
      const from = times.floors.get(attempt);
      if (from !== undefined) waits.checks.push(at - from);
      // What it says anew is another matter.
      times.floors.delete(attempt);
      return;
    }
    default:
  }
}
