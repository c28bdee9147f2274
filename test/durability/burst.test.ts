/** Ten thousand webhooks at once, a fifth of them twice, fifty of 5 MB, some forged: `npm run bench -- burst` prints the figures. */
import { afterEach, expect, it } from "@jest/globals";
import { runBurst } from "../fleet-stage/burst.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";

let stage: FleetStage | undefined;

afterEach(async () => {
  await stage?.close();
});

it("a burst of 10,000 webhooks is stored, each once, in bounded memory, and the forged ones are not", async () => {
  stage = await openFleetStage({});
  const app = await stage.startApp({ LOG_LEVEL: "warn" });
  const result = await runBurst(stage, app, { deliveries: 10_000, large: 50, forged: 100 });
  expect(result).toMatchObject({ refused: 0, believed: 0, lost: 0, waiting: 0 });
  expect(result.unique).toBe(8_000);
  expect([result.stored, result.guids]).toEqual([result.unique, result.unique]);
  // 64 of them are under way at once; the burst itself has some 360 MB.
  expect(result.peakMb).toBeLessThan(700);
}, 300_000);
