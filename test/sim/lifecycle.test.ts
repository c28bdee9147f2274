import { describe, expect, it } from "@jest/globals";
import {
  ATTEMPT_LIFECYCLE,
  CHUNK_LIFECYCLE,
  FINAL,
  type Lifecycle,
  RUN_LIFECYCLE,
} from "../../src/engine/lifecycle.ts";
import { buildScenario } from "./scenario.ts";
import { simulate } from "./simulate.ts";
import { emptyObserved, observeTransitions, type Transitions } from "./transitions.ts";

const charts: ReadonlyArray<readonly [name: "run" | "chunk" | "attempt", lifecycle: Lifecycle<string>]> = [
  ["run", RUN_LIFECYCLE],
  ["chunk", CHUNK_LIFECYCLE],
  ["attempt", ATTEMPT_LIFECYCLE],
];

/** The first of them that are small enough to be played quickly; as many as it takes to see every state. */
const SEEDS = 160;
const MOST_SEEDS = 1200;
const LARGEST = 8;

describe("the state chart", () => {
  it.each(charts)("lets every state of a %s be left, or be final", (_, lifecycle) => {
    for (const [state, next] of Object.entries(lifecycle))
      expect([state, next.length > 0 || FINAL.has(state)]).toEqual([state, true]);
  });

  it("holds every transition that runs make, and runs reach every state", async () => {
    const observed = emptyObserved();
    const missing = (): boolean =>
      charts.some(([name, lifecycle]) => listUnreached(observed[name], lifecycle).length > 0);
    for (let seed = 1; seed <= SEEDS || (seed <= MOST_SEEDS && missing()); seed += 1) {
      const scenario = buildScenario(seed);
      // What the small ones never come to, such as a conflict, needs more that goes on at once.
      if (scenario.chunks.length <= LARGEST || seed > SEEDS)
        observeTransitions((await simulate(scenario)).recorded, observed);
    }
    for (const [name, lifecycle] of charts) {
      expect([name, listUnknown(observed[name], lifecycle)]).toEqual([name, []]);
      expect([name, listUnreached(observed[name], lifecycle)]).toEqual([name, []]);
    }
  }, 900_000);
});

function listUnknown(transitions: Transitions, lifecycle: Lifecycle<string>): readonly string[] {
  return [...transitions]
    .filter(([transition]) => {
      const [from = "", to = ""] = transition.split(" -> ");
      return lifecycle[from as "begin"]?.includes(to) !== true;
    })
    .map(([transition, by]) => `${transition} (${[...by].join(", ")})`);
}

function listUnreached(transitions: Transitions, lifecycle: Lifecycle<string>): readonly string[] {
  const reached = new Set([...transitions.keys()].map((transition) => transition.split(" -> ")[1]));
  return Object.keys(lifecycle).filter((state) => state !== "begin" && !reached.has(state));
}
