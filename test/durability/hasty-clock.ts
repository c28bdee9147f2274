/**
 * Time that does not wait: once nobody is at work any more, it is at once as late as whoever waits least
 * wants it to be. While there is work, time passes as it really does, so that what is measured in this time
 * is what was waited for, and not how fast this machine is.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Timers } from "../../src/fleet/clock.ts";
import type { Clock } from "../../src/github/clock.ts";

/** Between two looks at whether there is work, in ms. Two that find none in a row are believed. */
const LOOK_MS = 4;
/** A request that is under way for that long, in ms, may itself wait for the time. */
const PATIENCE_MS = 2_000;

export interface HastyClock extends Clock {
  readonly timers: Timers;
  /** Nothing that waits is called any more. */
  stop(): void;
}

interface Wait {
  readonly until: number;
  readonly run: () => void;
}

/** @param atRest resolves when nothing goes on beside the requests of this process. */
export function createHastyClock(atRest: () => Promise<void>): HastyClock {
  const requests = countRequests();
  const waits = new Set<Wait>();
  let ahead = 0;
  let looking = false;
  const now = (): number => Date.now() + ahead;

  async function look(): Promise<void> {
    let quiet = 0;
    let busySince = performance.now();
    let seen = requests.begun();
    while (waits.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      await atRest();
      const begun = requests.begun();
      const stuck = performance.now() - busySince > PATIENCE_MS;
      quiet = begun === seen && (requests.open() === 0 || stuck) ? quiet + 1 : 0;
      if (begun !== seen || requests.open() === 0) busySince = performance.now();
      seen = begun;
      if (quiet >= 2) {
        quiet = 0;
        const next = Math.min(...[...waits].map(({ until }) => until));
        ahead = Math.max(ahead, next - Date.now());
      }
      const time = now();
      for (const wait of [...waits].sort((a, b) => a.until - b.until))
        if (wait.until <= time && waits.delete(wait)) wait.run();
    }
    looking = false;
  }

  function after(ms: number, run: () => void): () => void {
    const wait = { until: now() + ms, run };
    waits.add(wait);
    if (!looking) {
      looking = true;
      void look();
    }
    return () => waits.delete(wait);
  }

  return {
    now,
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    timers: { after },
    stop() {
      waits.clear();
      requests.stop();
    },
  };
}

interface Requests {
  /** How many were begun. */
  readonly begun: () => number;
  /** How many of them have no answer yet. */
  readonly open: () => number;
  stop(): void;
}

/** All requests of this process, whoever makes them. https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md */
function countRequests(): Requests {
  let begun = 0;
  const open = new Set<unknown>();
  const begin = (message: unknown): void => {
    begun += 1;
    open.add((message as { readonly request: unknown }).request);
  };
  const end = (message: unknown): void => void open.delete((message as { readonly request: unknown }).request);
  subscribe("undici:request:create", begin);
  subscribe("undici:request:trailers", end);
  subscribe("undici:request:error", end);
  return {
    begun: () => begun,
    open: () => open.size,
    stop() {
      unsubscribe("undici:request:create", begin);
      unsubscribe("undici:request:trailers", end);
      unsubscribe("undici:request:error", end);
    },
  };
}
