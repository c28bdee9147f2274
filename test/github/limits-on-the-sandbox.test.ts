/** GitHub's limits as the local GitHub enforces them, on a virtual clock: nothing of ours is ever refused. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { RepositoryPort } from "../../src/github/port.ts";
import type { RequestEntry } from "../../src/github/request-log.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/port.ts";
import { openShop, type Shop } from "./open-shop.ts";
import { createStageClock, type StageClock } from "./stage-parts.ts";

let shop: Shop;
let store: Store;
let clock: StageClock;

beforeEach(async () => {
  clock = createStageClock();
  shop = await openShop({ limits: "github", clock: () => clock.now() });
  store = await openStore({ file: ":memory:" });
});

afterEach(async () => {
  await shop.close();
  await store.close();
});

function startInstance(entries: RequestEntry[]): RepositoryPort {
  const port = shop.connect({
    spend: (window, cost, now) => store.spend(window, cost, now),
    clock,
    maxWaitMs: 3_600_000,
    log: (entry) => entries.push(entry),
  });
  return port.repository(shop.ref);
}

describe("under GitHub's limits", () => {
  it("two instances post 200 comments and write 120 blobs without one refusal", async () => {
    const entries: RequestEntry[] = [];
    const instances = [startInstance(entries), startInstance(entries)];
    const begin = clock.now();
    await Promise.all(
      instances.flatMap((repository, which) => [
        ...Array.from({ length: 100 }, (_, n) => repository.createComment(shop.issue, `Comment ${which}/${n}`)),
        ...Array.from({ length: 60 }, (_, n) => repository.createBlob(`blob ${which}/${n}`)),
      ]),
    );
    expect(entries.filter(({ failure }) => failure !== null)).toEqual([]);
    expect(entries).toHaveLength(320);
    expect(clock.now() - begin).toBeGreaterThan(120_000);
  });
});
