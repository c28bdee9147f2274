/** What tests of this room share and what needs no nock: importing nock takes over the process's sockets. */
import { generateKeyPairSync } from "node:crypto";
import type { Clock } from "../../src/github/clock.ts";

/** As long and as shaped as real ones are. */
export const TOKEN = `ghs_7_eyJhbGciOiJSUzI1NiJ9.${"x".repeat(400)}.${"y".repeat(80)}`;

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

export { privateKey as PRIVATE_KEY };

export interface StageClock extends Clock {
  /** Every pause anybody made, in ms. */
  readonly slept: number[];
}

/** Time that passes only when somebody sleeps. */
export function createStageClock(start = Date.now()): StageClock {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    async sleep(ms) {
      slept.push(ms);
      now += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** The failure a promise ends with. */
export async function failureOf(promise: Promise<unknown>): Promise<{
  readonly kind?: unknown;
  readonly message: string;
  readonly details?: { readonly status?: number; readonly ambiguous?: boolean; readonly retryAfterMs?: number };
}> {
  const error: unknown = await promise.then(
    () => new Error("nothing failed"),
    (reason: unknown) => reason,
  );
  return error as { kind?: unknown; message: string };
}

export const sha = (digit: string): string => digit.repeat(40);
