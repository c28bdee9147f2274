/**
 * The real process is killed (SIGKILL) right after an effect on GitHub, before its answer is known, at
 * every effect of a run of two chunks in turn. By default a sample; with TASKFLEET_DURABILITY=all every one.
 *
 * After such a death the App waits half a minute before it looks whether the effect has happened, so
 * several of them, each on a local GitHub of its own, die beside each other.
 */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DyingApp, type Killed } from "./killed-after-effect.ts";

const all = process.env["TASKFLEET_DURABILITY"] === "all";
/** More effects than such a run has; the numbers beyond its end are not reached. */
const numbers = all ? Array.from({ length: 200 }, (_, index) => index + 1) : [1, 5, 12, 19, 26, 33, 40, 47, 54, 61];
const apps: DyingApp[] = [];

beforeAll(async () => {
  // One after the other: a start is much work for a machine of two cores, and has its deadline.
  while (apps.length < (all ? 8 : 5)) apps.push(await DyingApp.open());
}, 240_000);

afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
});

describe("an App that is killed right after an effect", () => {
  it(
    "completes the run when it is started again, and doubles nothing, whichever effect it was",
    async () => {
      const outcomes: (Killed & { readonly n: number })[] = [];
      const waiting = [...numbers];
      await Promise.all(
        apps.map(async (app) => {
          for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) {
            const outcome = await app.killAfterEffect(n);
            outcomes.push({ n, ...outcome });
            if (outcome.effect === null) waiting.length = 0;
          }
        }),
      );
      expect(outcomes.filter(({ doubles }) => doubles.length > 0)).toEqual([]);
      const landed = ["feat(c0): Build c0", "feat(c1): Build c1"];
      expect(outcomes.filter(({ landings }) => landings.join() !== landed.join())).toEqual([]);
      const killed = outcomes.filter(({ effect }) => effect !== null).toSorted((a, b) => a.n - b.n);
      if (all) console.log(killed.map(({ n, effect }) => `${n}. ${effect ?? ""}`).join("\n"));
      expect(killed.length).toBeGreaterThan(all ? 40 : 6);
    },
    all ? 1_800_000 : 480_000,
  );
});
