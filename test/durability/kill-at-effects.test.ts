/**
 * The real process is killed (SIGKILL) right after an effect on GitHub, before its answer is known, at
 * every effect of a run of two chunks in turn. By default a sample; with TASKFLEET_DURABILITY=all every one.
 *
 * After such a death the App waits half a minute before it looks whether the effect has happened, so
 * several of them, each on a local GitHub of its own, die beside each other.
 */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Boundary, DyingApp, type Killed } from "./killed-after-effect.ts";

const all = process.env["TASKFLEET_DURABILITY"] === "all";
/** Of the sample: every so manieth boundary. */
const STEP = 7;
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
      const boundaries = (await apps[0]?.listBoundaries()) ?? [];
      expect(boundaries.length).toBeGreaterThan(50);
      const waiting = all ? [...boundaries] : boundaries.filter((_, index) => index % STEP === 0);
      const outcomes: (Killed & Boundary)[] = [];
      await Promise.all(
        apps.map(async (app) => {
          for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
            outcomes.push({ ...next, ...(await app.killAfter(next)) });
          }
        }),
      );
      expect(outcomes.filter(({ doubles }) => doubles.length > 0)).toEqual([]);
      const landed = ["feat(c0): Build c0", "feat(c1): Build c1"];
      expect(outcomes.filter(({ landings }) => landings.join() !== landed.join())).toEqual([]);
      if (all) console.log(outcomes.map(formatOutcome).join("\n"));
      // What is edited in place is edited as often as there is time for; anything else happens in every run.
      const missed = outcomes.filter(({ struck }) => !struck);
      expect(missed.filter(({ effect }) => !effect.startsWith("PATCH "))).toEqual([]);
      expect(missed.length).toBeLessThan(boundaries.length / 10);
      // Half a minute of caution, then the rest of the run. Nobody waits for the next look, but where a webhook
      // did not arrive.
      expect(outcomes.filter(({ seconds, undelivered }) => seconds > 90 && undelivered === 0)).toEqual([]);
    },
    all ? 1_800_000 : 480_000,
  );
});

function formatOutcome({ effect, nth, struck, seconds, undelivered }: Killed & Boundary): string {
  const lost = undelivered === 0 ? "" : `, ${undelivered} webhooks did not arrive`;
  return `${effect} (${nth}): ${struck ? `${seconds.toFixed(1)} s${lost}` : "did not happen"}`;
}
