/**
 * The real process is killed (SIGKILL) right after an effect on GitHub, before its answer is known, at
 * every effect of a run of two chunks in turn. By default a sample; with TASKFLEET_DURABILITY=all every one.
 */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DyingApp } from "./killed-after-effect.ts";

const all = process.env["TASKFLEET_DURABILITY"] === "all";
const step = all ? 1 : 8;
/** More effects than such a run has. */
const most = 200;

let app: DyingApp;

beforeAll(async () => {
  app = await DyingApp.open();
}, 60_000);

afterAll(async () => {
  await app.close();
});

describe("an App that is killed right after an effect", () => {
  it(
    "completes the run when it is started again, and doubles nothing, whichever effect it was",
    async () => {
      const effects: string[] = [];
      for (let n = 1; n < most; n += step) {
        const { effect, doubles, landings } = await app.killAfterEffect(n);
        expect({ n, effect, doubles, landings }).toEqual({
          n,
          effect,
          doubles: [],
          landings: ["feat(c0): Build c0", "feat(c1): Build c1"],
        });
        if (effect === null) break;
        effects.push(`${n}. ${effect}`);
      }
      if (all) console.log(`killed after ${effects.length} effects:\n${effects.join("\n")}`);
      expect(effects.length).toBeGreaterThan(40 / step);
    },
    all ? 1_200_000 : 240_000,
  );
});
