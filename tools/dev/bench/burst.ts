/** A burst of 10,000 webhooks, as after an outage: nothing lost, nothing twice, memory bounded. */
import { type Burst, runBurst } from "../../../test/fleet-stage/burst.ts";
import { openFleetStage } from "../../../test/fleet-stage/fleet-stage.ts";

const burst: Burst = { deliveries: 10_000, large: 50, forged: 100 };
const maxMb = 700;

export async function run(): Promise<readonly string[]> {
  const stage = await openFleetStage({});
  try {
    const result = await runBurst(stage, await stage.startApp({ LOG_LEVEL: "warn" }), burst);
    console.table({
      "sent (a fifth twice)": burst.deliveries,
      "of 5 MB": burst.large,
      "forged beside them": burst.forged,
      seconds: Number(result.seconds.toFixed(1)),
      "per second": Math.round((burst.deliveries + burst.forged) / result.seconds),
      "slowest answer, ms": Math.round(result.slowestMs),
      "GUIDs sent": result.unique,
      "GUIDs stored": result.guids,
      "rows stored": result.stored,
      "not acknowledged": result.refused,
      "acknowledged and lost": result.lost,
      "forged and believed": result.believed,
      "memory before, MB": Math.round(result.beforeMb),
      "most memory, MB": Math.round(result.peakMb),
    });
    return [
      ...(result.lost + result.refused + result.waiting > 0 ? ["deliveries were lost, refused or left unrouted"] : []),
      ...(result.stored === result.unique ? [] : [`${result.stored} rows for ${result.unique} deliveries`]),
      ...(result.believed > 0 ? [`${result.believed} forged deliveries were acknowledged`] : []),
      ...(result.peakMb > maxMb ? [`memory reached ${Math.round(result.peakMb)} MB; allowed are ${maxMb}`] : []),
    ];
  } finally {
    await stage.close();
  }
}
