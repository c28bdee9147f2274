/** Deliveries that failed: asked for again, with pauses, and not for ever. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import type { Fleet } from "../../src/fleet/context.ts";
import { parseRedeliveryLedger } from "../../src/fleet/operate/redelivery-ledger.ts";
import { redeliverFailed } from "../../src/fleet/inbox/redeliver.ts";
import type { FailedDelivery } from "../../src/github/port.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/port.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** GitHub's side: every attempt has an id and an outcome, and all attempts of a delivery share its GUID. */
class Deliveries {
  readonly attempts: (FailedDelivery & { readonly failed: boolean })[] = [];
  readonly asked: string[] = [];
  /** Whether what is asked for arrives. */
  arrives: (guid: string) => boolean = () => false;
  refuse: ((id: string) => GitHubFailure | null) | null = null;
  #next = 1;

  add(guid: string, at: number, outcome: "failed" | "arrived" = "failed"): void {
    const id = String(this.#next);
    this.#next += 1;
    this.attempts.push({ id, guid, event: "issues", deliveredAt: at, failed: outcome === "failed" });
  }

  listFailed(since: number): readonly FailedDelivery[] {
    const newest = new Map<string, (typeof this.attempts)[number]>();
    for (const attempt of this.attempts) if (attempt.deliveredAt >= since) newest.set(attempt.guid, attempt);
    return [...newest.values()].filter(({ failed }) => failed).toReversed();
  }

  redeliver(id: string, now: number): void {
    const refused = this.refuse?.(id) ?? null;
    if (refused !== null) throw refused;
    const guid = this.attempts.find((attempt) => attempt.id === id)?.guid ?? "";
    this.asked.push(guid);
    this.add(guid, now, this.arrives(guid) ? "arrived" : "failed");
  }
}

let store: Store;
let deliveries: Deliveries;
let now: number;
let lines: { readonly level: string; readonly delivery: unknown }[];
let givenUp: number;

beforeEach(async () => {
  store = await openStore({ file: ":memory:" });
  deliveries = new Deliveries();
  now = Date.parse("2026-11-30T12:00:00Z");
  lines = [];
  givenUp = 0;
});
afterEach(() => store.close());

function look(): Promise<number> {
  const note = (level: string) => (fields: object) =>
    void lines.push({ level, delivery: "delivery" in fields ? fields.delivery : null });
  const fleet = {
    store,
    clock: { now: () => now },
    log: { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") },
    meter: { redeliveryGivenUp: () => void (givenUp += 1) },
    github: {
      loadFailedDeliveries: async (since: number) => deliveries.listFailed(since),
      redeliver: async (id: string) => deliveries.redeliver(id, now),
    },
  };
  return redeliverFailed(fleet as unknown as Fleet);
}

/** Looks every five minutes for so long. */
async function lookFor(ms: number): Promise<void> {
  for (const end = now + ms; now < end; now += 5 * MINUTE) await look();
}

describe("a delivery that failed", () => {
  it("is asked for at the next look, and not again once it has arrived", async () => {
    deliveries.arrives = () => true;
    deliveries.add("a", now - MINUTE);
    expect(await look()).toBe(1);
    now += 5 * MINUTE;
    await lookFor(DAY);
    expect(deliveries.asked).toEqual(["a"]);
    expect(parseRedeliveryLedger(await store.loadSetting("redelivery-ledger"))).toEqual({});
  });

  it("is asked for ten times in three days when it always fails, with pauses that grow, and then given up visibly", async () => {
    deliveries.add("a", now);
    const times: number[] = [];
    for (const end = now + 4 * DAY; now < end; now += 5 * MINUTE) {
      if ((await look()) > 0) times.push(now);
    }
    expect(times).toHaveLength(10);
    const pauses = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / MINUTE);
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280]);
    expect(givenUp).toBe(1);
    expect(lines.filter(({ level }) => level === "error")).toEqual([{ level: "error", delivery: "a" }]);
  });

  it("holds up no other", async () => {
    deliveries.arrives = (guid) => guid === "b";
    deliveries.add("a", now);
    await lookFor(DAY);
    deliveries.add("b", now);
    await lookFor(10 * MINUTE);
    expect(deliveries.asked.filter((guid) => guid === "b")).toEqual(["b"]);
  });

  it("is given up at once when GitHub has it no longer, and the others are asked for", async () => {
    deliveries.arrives = () => true;
    deliveries.add("a", now);
    deliveries.add("b", now);
    deliveries.refuse = (id) => (id === "1" ? new GitHubFailure("terminal", "Not Found", { status: 404 }) : null);
    expect(await look()).toBe(1);
    expect([deliveries.asked, givenUp]).toEqual([["b"], 1]);
    await lookFor(DAY);
    expect([deliveries.asked, givenUp]).toEqual([["b"], 1]);
  });

  it("is asked for later when GitHub's limit is reached in between, and the one before it not twice", async () => {
    deliveries.arrives = () => true;
    deliveries.add("a", now);
    deliveries.add("b", now + 1);
    deliveries.refuse = (id) =>
      id === "2" ? new GitHubFailure("transient", "limit", { status: 403, retryAfterMs: MINUTE }) : null;
    now += MINUTE;
    await expect(look()).rejects.toThrow("limit");
    deliveries.refuse = null;
    now += 5 * MINUTE;
    await lookFor(DAY);
    expect(deliveries.asked).toEqual(["a", "b"]);
  });

  it("that GitHub fails to send again waits for its next turn, and the others have theirs", async () => {
    deliveries.arrives = () => true;
    deliveries.add("a", now);
    deliveries.add("b", now + 1);
    deliveries.refuse = (id) => (id === "1" ? new GitHubFailure("transient", "broken", { status: 502 }) : null);
    expect(await look()).toBe(1);
    expect([deliveries.asked, givenUp]).toEqual([["b"], 0]);
    deliveries.refuse = null;
    now += 5 * MINUTE;
    await lookFor(DAY);
    expect(deliveries.asked).toEqual(["b", "a"]);
  });

  it("on which no answer comes is not the first again at the next look", async () => {
    deliveries.arrives = () => true;
    deliveries.add("a", now);
    deliveries.add("b", now + 1);
    deliveries.refuse = (id) => (id === "1" ? new GitHubFailure("transient", "no answer") : null);
    await expect(look()).rejects.toThrow("no answer");
    now += MINUTE;
    expect(await look()).toBe(1);
    expect(deliveries.asked).toEqual(["b"]);
  });

  it("counts its tries across restarts and whatever stands where they are kept", async () => {
    await store.putSetting("redelivery-ledger", "[nonsense");
    deliveries.add("a", now);
    expect(await look()).toBe(1);
    const ledger = parseRedeliveryLedger(await store.loadSetting("redelivery-ledger"));
    expect(ledger["a"]).toMatchObject({ tries: 1, standing: "asked" });
    expect(parseRedeliveryLedger('{"a":{"id":7}}')).toEqual({});
  });
});
