import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import path from "node:path";
import { openStore } from "../../src/store/open-store.ts";
import { openSqlite } from "../../src/store/sqlite-database.ts";
import { mapStoreError } from "../../src/store/store-failure.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-store-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("when the database cannot do its work", () => {
  it("says that there is no room, keeps what it acknowledged and nothing of what it refused", async () => {
    const file = path.join(folder, "full.db");
    const store = await openStore({ file, maxPages: 100 });
    const put = (guid: string) =>
      store.putDelivery({ guid, event: "push", payload: "x".repeat(50_000), receivedAt: 1 });
    const kept: string[] = [];
    const refusals: unknown[] = [];
    for (let n = 0; n < 20; n += 1) {
      await put(`g${n}`).then(
        () => kept.push(`g${n}`),
        (error: unknown) => refusals.push(error),
      );
    }
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals[0]).toMatchObject({ name: "StoreFailure", kind: "full" });
    expect(String(refusals[0])).toContain("no room left");
    expect(kept.length).toBeGreaterThan(0);
    await store.close();
    const again = await openStore({ file });
    expect((await again.loadDeliveries(100)).map(({ guid }) => guid)).toEqual(kept);
    await again.close();
  });

  it("fails only the delivery that does not fit when others share its group", async () => {
    const store = await openStore({ file: path.join(folder, "group.db"), maxPages: 100 });
    const put = (guid: string, size: number) =>
      store.putDelivery({ guid, event: "push", payload: "x".repeat(size), receivedAt: 1 });
    const outcomes = await Promise.allSettled([put("a", 10), put("huge", 2_000_000), put("b", 10)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await store.close();
  });

  it("tells of what made SQLite undo a change, not of undoing it again", async () => {
    const database = openSqlite({ file: path.join(folder, "undone.db") });
    const run = (sql: string) => database.prepare(sql).run([]);
    run("create table numbers (n integer unique on conflict rollback)");
    run("begin");
    run("insert into numbers values (1)");
    // As on a full disk, it is SQLite that ends the transaction.
    expect(() => run("insert into numbers values (1)")).toThrow(/UNIQUE/u);
    expect(() => run("rollback")).not.toThrow();
    run("begin");
    run("insert into numbers values (2)");
    run("rollback");
    expect(database.prepare("select n from numbers").all([])).toEqual([]);
    database.close();
  });

  it("waits for another process and then says who is in the way", async () => {
    const file = path.join(folder, "locked.db");
    const store = await openStore({ file, busyTimeoutMs: 50 });
    const other = new DatabaseSync(file);
    other.exec("begin immediate");
    await expect(store.putSetting("a", "1")).rejects.toMatchObject({ name: "StoreFailure", kind: "locked" });
    other.exec("rollback");
    await store.putSetting("a", "2");
    expect(await store.loadSetting("a")).toBe("2");
    other.close();
    await store.close();
  });

  it("refuses a file that is no database", async () => {
    const file = path.join(folder, "corrupt.db");
    writeFileSync(file, "this is a shopping list, not a database\n".repeat(300));
    await expect(openStore({ file })).rejects.toMatchObject({ name: "StoreFailure", kind: "corrupt" });
  });

  it("refuses a folder it cannot write to, and no place at all", async () => {
    await expect(openStore({ file: folder })).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("check its folder, the rights on it and the disk"),
    });
    await expect(openStore({})).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("refuses a PostgreSQL that does not answer, without telling the password", async () => {
    const opening = openStore({ url: "postgres://fleet:s3cr3t-word@127.0.0.1:1/none" });
    const error: unknown = await opening.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "StoreFailure", kind: "unavailable" });
    expect(String(error)).not.toContain("s3cr3t-word");
  });

  it("keeps the file to its owner", async () => {
    const file = path.join(folder, "deep", "private.db");
    await (await openStore({ file })).close();
    expect(statSync(file).mode & 0o077).toBe(0);
  });
});

describe("what a driver's error means", () => {
  it.each([
    [{ errcode: 13 }, "full"],
    [{ errcode: 5 | (2 << 8) }, "locked"],
    [{ errcode: 11 }, "corrupt"],
    [{ errcode: 2067 }, "exists"],
    [{ code: "53100" }, "full"],
    [{ code: "57P03" }, "unavailable"],
    [{ code: "ECONNREFUSED" }, "unavailable"],
    [{ code: "28P01" }, "unavailable"],
    [{ code: "XX001" }, "corrupt"],
    [{ code: "23505" }, "exists"],
    [new Error("Connection terminated unexpectedly"), "unavailable"],
    [{ code: "42P01" }, "unknown"],
    ["?", "unknown"],
  ])("%o is %s", (error, kind) => {
    expect(mapStoreError(error).kind).toBe(kind);
  });
});
