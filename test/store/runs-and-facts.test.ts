import { expect, it } from "@jest/globals";
import { parseRunKey } from "../../src/contracts/ids.ts";
import type { NewFact, RunRecord } from "../../src/store/port.ts";
import { describeEachStore } from "./each-store.ts";

const runKey = parseRunKey("7-add-search");
const run: RunRecord = {
  repositoryId: 9_007_199_254,
  runKey,
  installationId: 5,
  owner: "octo",
  name: "shop",
  issue: 7,
  status: "open",
  createdAt: 1_700_000_000_000,
};

function fact(key: string): NewFact {
  return { key, at: 1_700_000_000_001, fact: JSON.stringify({ kind: "Happened", key }) };
}

describeEachStore("runs and their facts", (place) => {
  it("creates a run with its first facts, and never a second one of that key", async () => {
    const store = await place.open();
    await store.createRun(run, [fact("labeled"), fact("intent")]);
    expect(await store.loadRun(run)).toEqual(run);
    expect((await store.loadFacts(run)).map(({ seq, key }) => [seq, key])).toEqual([
      [1, "labeled"],
      [2, "intent"],
    ]);
    await expect(store.createRun(run, [fact("other")])).rejects.toMatchObject({ name: "StoreFailure", kind: "exists" });
    expect(await store.loadFacts(run)).toHaveLength(2);
    expect(await store.loadRun({ repositoryId: 1, runKey })).toBeNull();
  });

  it("records the same happening once", async () => {
    const store = await place.open();
    await store.createRun(run, [fact("a")]);
    const stored = await store.appendFacts(run, [fact("a"), fact("b"), fact("b"), fact("c")]);
    expect(stored).toEqual([
      { seq: 2, ...fact("b") },
      { seq: 3, ...fact("c") },
    ]);
    expect(await store.appendFacts(run, [fact("b")])).toEqual([]);
    expect(await store.loadFacts(run, 1)).toEqual(stored);
  });

  it("records nothing for somebody who does not know of the newest fact", async () => {
    const store = await place.open();
    await store.createRun(run, [fact("a")]);
    expect(await store.appendFacts(run, [fact("b")], 1)).toEqual([{ seq: 2, ...fact("b") }]);
    await expect(store.appendFacts(run, [fact("c")], 1)).rejects.toMatchObject({ kind: "moved" });
    // Not even what is known already says that nothing has happened meanwhile.
    await expect(store.appendFacts(run, [fact("a")], 1)).rejects.toMatchObject({ kind: "moved" });
    expect((await store.loadFacts(run)).map(({ key }) => key)).toEqual(["a", "b"]);
    const other = await place.openAgain();
    const both = await Promise.allSettled([
      store.appendFacts(run, [fact("d")], 2),
      other.appendFacts(run, [fact("e")], 2),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("numbers facts without gaps when two instances append at once", async () => {
    const store = await place.open();
    const other = await place.openAgain();
    await store.createRun(run, []);
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        (n % 2 === 0 ? store : other).appendFacts(run, [fact(`f${n % 20}`), fact(`g${n}`)]),
      ),
    );
    const facts = await store.loadFacts(run);
    expect(facts.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    expect(new Set(facts.map(({ key }) => key)).size).toBe(50);
  });

  it("stores thousands of facts at once, or none", async () => {
    const store = await place.open();
    await store.createRun(run, []);
    const many = Array.from({ length: 2500 }, (_, n) => fact(`f${n}`));
    expect(await store.appendFacts(run, many)).toHaveLength(2500);
    await expect(
      store.appendFacts(run, [fact("new"), { key: "bad", at: Number.NaN, fact: "{}" }]),
    ).rejects.toMatchObject({ name: "StoreFailure" });
    expect((await store.loadFacts(run, 2500)).map(({ key }) => key)).toEqual([]);
  });

  it("refuses facts of a run that does not exist", async () => {
    const store = await place.open();
    await expect(store.appendFacts(run, [fact("a")])).rejects.toThrow("no run 7-add-search");
  });

  it("finds runs by issue and by state, and keeps up with renames", async () => {
    const store = await place.open();
    const second: RunRecord = { ...run, runKey: parseRunKey("7.2-add-search"), createdAt: run.createdAt + 1 };
    await store.createRun(run, []);
    await store.createRun(second, []);
    await store.createRun({ ...run, repositoryId: 2 }, []);
    await store.updateRun(run, { status: "closed", owner: "hexa", name: "store", installationId: 6 });
    await store.updateRun(second, {});
    expect((await store.loadRunsOfIssue(run.repositoryId, 7)).map(({ runKey }) => runKey)).toEqual([
      runKey,
      second.runKey,
    ]);
    expect(await store.loadRun(run)).toMatchObject({
      status: "closed",
      owner: "hexa",
      name: "store",
      installationId: 6,
    });
    expect((await store.loadOpenRuns()).map(({ repositoryId }) => repositoryId)).toEqual([2, run.repositoryId]);
    expect(await store.loadRuns()).toHaveLength(3);
  });

  it("never gives a day's number twice", async () => {
    const store = await place.open();
    const other = await place.openAgain();
    const numbers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? store : other).takeRunNumber(1, "2026-11-30")),
    );
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(await store.takeRunNumber(1, "2026-12-01")).toBe(1);
    expect(await store.takeRunNumber(2, "2026-11-30")).toBe(1);
  });

  it("keeps the newest snapshot, also when an older one comes late", async () => {
    const store = await place.open();
    await store.createRun(run, []);
    expect(await store.loadSnapshot(run)).toBeNull();
    await store.putSnapshot(run, 5, '{"n":5}');
    await store.putSnapshot(run, 3, '{"n":3}');
    expect(await store.loadSnapshot(run)).toEqual({ seq: 5, state: '{"n":5}' });
    await store.putSnapshot(run, 6, '{"n":6}');
    expect(await store.loadSnapshot(run)).toEqual({ seq: 6, state: '{"n":6}' });
  });

  it("names documents by their content and gives them back to the byte", async () => {
    const store = await place.open();
    const text = "captures \u0000 with zero bytes, ümlauts and \u{1f680}";
    const name = await store.putDocument(text);
    expect(name).toMatch(/^[0-9a-f]{64}$/u);
    expect(await store.putDocument(text)).toBe(name);
    expect(await store.loadDocument(name)).toBe(text);
    expect(await store.loadDocument("0".repeat(64))).toBeNull();
  });

  it("keeps settings across restarts", async () => {
    const store = await place.open();
    expect(await store.loadSetting("deliveries-checked-at")).toBeNull();
    await store.putSetting("deliveries-checked-at", "1");
    await store.putSetting("deliveries-checked-at", "2");
    expect(await (await place.openAgain()).loadSetting("deliveries-checked-at")).toBe("2");
  });
});
