/** GitHub as a process meets it: slow, failing, late, and forgotten when the process dies. */
import { GitHubFailure } from "../../../src/contracts/errors.ts";
import type { RepositoryPort } from "../../../src/github/port.ts";
import type { GitHubModel } from "../model/github-model.ts";
import { createModelPort } from "../model/model-port.ts";
import type { Faults } from "../scenario.ts";
import type { Chance } from "../chance.ts";
import type { Events } from "./events.ts";
import type { Mortal } from "./mortal.ts";
import type { ModelApp } from "../model/identities.ts";

/** The longest a read may lag behind a write: what the App assumes. */
export const MAX_LAG_MS = 120_000;
/** How long a request may stay open before the client gives it up. */
export const REQUEST_TIMEOUT_MS = 10_000;

/** Reads; everything else has an effect. */
const READS = /^load/u;
/** What rests on something that was made a moment ago (github.com/peter-evans/create-pull-request/pull/4356). */
const REFUSED_FOR_NOW = /^create(?:Pull|Review)$/u;

export interface PortParts {
  readonly model: GitHubModel;
  readonly faults: Faults;
  readonly events: Events;
  readonly chance: Chance;
  readonly mortal: Mortal;
  /** Calls so far by method, over all processes. */
  readonly counts: Map<string, number>;
}

export function createFaultyPort(parts: PortParts, app: ModelApp): RepositoryPort {
  const { model, faults, events, chance, counts } = parts;
  const plain = createModelPort(model, app, (method) => {
    const id = `stale:${method}#${counts.get(method) ?? 0}`;
    if (!events.happens(id, faults.stale, `${method} is answered by a replica that lags behind`)) return 0;
    return chance.int(`lag:${id}`, 1_000, MAX_LAG_MS);
  });
  const port: Record<string, unknown> = { ref: plain.ref, tracker: plain.tracker };
  for (const [method, call] of Object.entries(plain)) {
    if (typeof call !== "function") continue;
    port[method] = (...args: unknown[]) =>
      parts.mortal.call(`github.${method}`, () =>
        answer(parts, method, () => Promise.resolve(Reflect.apply(call, plain, args))),
      );
  }
  return port as unknown as RepositoryPort;
}

async function answer(parts: PortParts, method: string, perform: () => Promise<unknown>): Promise<unknown> {
  const { model, faults, events, chance, counts } = parts;
  const n = (counts.get(method) ?? 0) + 1;
  counts.set(method, n);
  const id = `${method}#${n}`;
  const writes = !READS.test(method);
  const happens = (kind: string, probability: number, words: string): boolean =>
    events.happens(`${kind}:${id}`, probability, `${method} ${words}`);
  const fail = (message: string, ambiguous: boolean, retryAfterMs?: number): never => {
    throw new GitHubFailure("transient", message, {
      request: method,
      ...(ambiguous ? { ambiguous: true } : {}),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  };
  if (happens("slow", faults.slow, "takes its time")) await model.time.sleep(chance.int(`slow:${id}`, 100, 4_000));
  if (happens("limit", faults.secondaryLimit, "meets a secondary limit"))
    fail("GitHub asks us to slow down", false, 60_000);
  if (REFUSED_FOR_NOW.test(method) && happens("refusal", faults.refusal, "is refused, for now"))
    throw new GitHubFailure("terminal", "GitHub refuses (422): Could not resolve to a node", { status: 422 });
  if (happens("error", faults.serverError, "is answered with 502")) fail("GitHub failed (502)", writes);
  if (happens("timeout-before", faults.timeoutBefore, "times out without an effect")) {
    await model.time.sleep(REQUEST_TIMEOUT_MS);
    fail("GitHub did not answer (timeout).", writes);
  }
  const late = happens("timeout-after", faults.timeoutAfter, "times out after its effect");
  if (late) await model.time.sleep(chance.int(`late:${id}`, 0, REQUEST_TIMEOUT_MS));
  const result = await perform();
  if (late) fail("GitHub did not answer (timeout).", writes);
  return result;
}
