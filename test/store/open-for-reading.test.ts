import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { parseRunKey } from "../../src/contracts/ids.ts";
import { judgeSchema } from "../../src/store/migrations/verify-schema.ts";
import { openStoreForReading } from "../../src/store/open-for-reading.ts";
import { openStore } from "../../src/store/open-store.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./start-postgres.ts";

type Place = Parameters<typeof openStoreForReading>[0];

const run = {
  repositoryId: 1,
  runKey: parseRunKey("7-a"),
  installationId: 2,
  owner: "o",
  name: "n",
  issue: 7,
  status: "open",
  createdAt: 3,
} as const;

/** @param execute runs statements on the database as its owner would. */
function describeReading(
  title: string,
  parts: { readonly place: () => Place; readonly execute: (statements: string) => Promise<unknown[]> },
): void {
  const { place, execute } = parts;
  const failure = (): Promise<unknown> => openStoreForReading(place()).catch((error: unknown) => error);

  describe(`looking into a store, on ${title}`, () => {
    it("shows what the App keeps, beside it and without it", async () => {
      const store = await openStore(place());
      await store.createRun(run, [{ key: "a", at: 3, fact: "{}" }]);
      await store.putSetting("key", "value");
      const beside = await openStoreForReading(place());
      expect(await beside.loadRuns()).toEqual([run]);
      await store.appendFacts(run, [{ key: "b", at: 4, fact: "{}" }]);
      expect((await beside.loadFacts(run)).map(({ key }) => key)).toEqual(["a", "b"]);
      await beside.close();
      await store.close();
      const alone = await openStoreForReading(place());
      expect(await alone.loadOpenRuns()).toEqual([run]);
      expect(await alone.loadSetting("key")).toBe("value");
      await alone.close();
    });

    it("makes nothing in a database that is not ours, and names it", async () => {
      await execute("create table notes (words text)");
      expect(await failure()).toMatchObject({ name: "StoreFailure", kind: "foreign" });
      expect(String(await failure())).toContain("nothing of Taskfleet in this database");
      expect(await execute("select * from notes")).toEqual([]);
      await expect(execute("select * from runs")).rejects.toThrow("runs");
    });

    it("takes no other program's migrations for a newer version's", async () => {
      await execute("create table kysely_migration (name text, timestamp text)");
      await execute("insert into kysely_migration values ('2024-users', 'x')");
      expect(await failure()).toMatchObject({ kind: "foreign" });
    });

    it("says that a newer version has written it", async () => {
      await (await openStore(place())).close();
      await execute("insert into kysely_migration values ('9999-future', '2099-01-01')");
      expect(await failure()).toMatchObject({ kind: "newer", message: expect.stringContaining("9999-future") });
    });
  });
}

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-read-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function findFile(): string {
  return path.join(folder, "some.db");
}

describeReading("SQLite", {
  place: () => ({ file: findFile() }),
  execute: async (statements) => {
    const database = new DatabaseSync(findFile());
    try {
      return database.prepare(statements).all();
    } finally {
      database.close();
    }
  },
});

const bin = findPostgres();
if (bin === null) it.skip("looking into a store on PostgreSQL: no server is installed here", () => undefined);
else {
  let server: PostgresServer | null = null;
  let url = "";
  beforeAll(() => {
    server = startPostgres(bin);
  });
  afterAll(() => server?.stop());
  beforeEach(() => {
    url = server?.createDatabase() ?? "";
  });
  describeReading("PostgreSQL", {
    place: () => ({ url }),
    execute: async (statements) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query<object>(statements)).rows;
      } finally {
        await client.end();
      }
    },
  });
}

describe("a file that is looked into", () => {
  it("is not made", async () => {
    await expect(openStoreForReading({ file: findFile() })).rejects.toMatchObject({
      kind: "unavailable",
      message: `${findFile()}: There is no such database.`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["is empty", "", "foreign"],
    ["is none of a database", "a shopping list\n".repeat(300), "corrupt"],
  ])("stays as it is when it %s", async (_, text, kind) => {
    writeFileSync(findFile(), text);
    await expect(openStoreForReading({ file: findFile() })).rejects.toMatchObject({ kind });
    expect(readFileSync(findFile(), "utf8")).toBe(text);
    expect(readdirSync(folder)).toEqual(["some.db"]);
  });

  it("leaves nothing beside it", async () => {
    await (await openStore({ file: findFile() })).close();
    const before = readFileSync(findFile());
    const store = await openStoreForReading({ file: findFile() });
    await store.loadRuns();
    await store.close();
    expect(readdirSync(folder)).toEqual(["some.db"]);
    expect(readFileSync(findFile()).equals(before)).toBe(true);
  });

  it("is no folder", async () => {
    mkdirSync(findFile());
    await expect(openStoreForReading({ file: findFile() })).rejects.toMatchObject({ kind: "unavailable" });
  });
});

it("tells an address without its account and password", async () => {
  const reading = openStoreForReading({ url: "postgres://fleet:s3cr3t@127.0.0.1:1/none?password=s3cr3t" });
  const error = String(await reading.catch((reason: unknown) => reason));
  expect(error).toContain("postgres://127.0.0.1:1/none: The database cannot be reached");
  expect(error).not.toContain("s3cr3t");
});

describe("a database's migrations", () => {
  it.each([
    ["are none", null, "foreign"],
    ["are somebody else's", ["2024-users"], "foreign"],
    ["were begun", [], "foreign"],
    ["are ours", ["1", "2"], undefined],
    ["are fewer", ["1"], "older"],
    ["are more", ["1", "2", "3"], "newer"],
  ])("%s", (_, found, kind) => {
    expect(judgeSchema(found, ["1", "2"])?.kind).toBe(kind);
  });
});
