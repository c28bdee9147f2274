import { createLane, type Lane } from "./governor-lane.ts";
import type { Demand, GovernorOptions } from "./governor-terms.ts";

export interface Governor {
  /** Runs `send` when GitHub's limits allow it; more important demands of the same kind go first. */
  run<Result>(installation: number | null, demand: Demand, send: () => Promise<Result>): Promise<Result>;
  /** From when such a request may go, as far as is known (ms); a time that has passed means now. */
  opensAt(installation: number | null, cost: Demand["cost"]): number;
  /** GitHub said stop: nothing is sent for the installation before `until` (ms). */
  pause(installation: number | null, until: number): void;
}

interface Traffic {
  readonly lanes: Readonly<Record<Demand["cost"], Lane>>;
  pausedUntil: number;
}

/** Keeps each installation's requests under GitHub's secondary limits, together with other instances. */
export function createGovernor(options: GovernorOptions): Governor {
  const traffic = new Map<number | null, Traffic>();

  function trafficOf(installation: number | null): Traffic {
    const known = traffic.get(installation);
    if (known !== undefined) return known;
    const places = { free: options.maxConcurrent, waiting: [] };
    const lane = (cost: Demand["cost"]): Lane =>
      createLane({ ...options, cost, places, installation, pausedUntil: () => fresh.pausedUntil });
    const fresh: Traffic = {
      lanes: { read: lane("read"), write: lane("write"), content: lane("content") },
      pausedUntil: 0,
    };
    traffic.set(installation, fresh);
    return fresh;
  }

  return {
    async run(installation, demand, send) {
      const done = await trafficOf(installation).lanes[demand.cost].enter(demand.priority);
      try {
        return await send();
      } finally {
        done();
      }
    },
    opensAt: (installation, cost) => traffic.get(installation)?.lanes[cost].opensAt() ?? 0,
    pause(installation, until) {
      const entry = trafficOf(installation);
      entry.pausedUntil = Math.max(entry.pausedUntil, until);
      for (const lane of Object.values(entry.lanes)) lane.rejectImpatient(entry.pausedUntil);
    },
  };
}
