import type { Remedy } from "../../../src/contracts/job.ts";
import type { Chance } from "../chance.ts";

const HOUR = 60 * 60_000;

/** What a job that something outside has stopped knows of it: often nothing. Some providers say when to come again. */
export function drawRemedy(chance: Chance, job: string, now: number): { readonly remedy?: Remedy } {
  switch (chance.weigh(`kind:${job}`, { nothing: 3, wait: 3, until: 3, person: 1 })) {
    case "nothing":
      return {};
    case "wait":
      return { remedy: { kind: "wait" } };
    case "until":
      return { remedy: { kind: "wait", until: now + chance.int(`until:${job}`, 60_000, 3 * HOUR) } };
    case "person":
      return { remedy: { kind: "person" } };
  }
}
