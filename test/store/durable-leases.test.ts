import { expect, it } from "@jest/globals";
import type { Database } from "../../src/store/database.ts";
import { createDueQueue } from "../../src/store/due-queue.ts";
import type { Dialect } from "../../src/store/schema.ts";

const lease = { key: "run:1:a", token: "t", hints: [] };

/** How taking, extending and ending a lease are kept. */
async function listWrites(dialect: Dialect): Promise<readonly string[]> {
  const writes: string[] = [];
  const note =
    (how: string) =>
    <Result>(): Promise<Result> => {
      writes.push(how);
      return Promise.resolve(true as Result);
    };
  const database: Database = {
    dialect,
    read: <Result>() => Promise.resolve(0 as Result),
    write: note("durable"),
    writeSoon: note("soon"),
    close: () => Promise.resolve(),
  };
  const queue = createDueQueue(database);
  await queue.takeDue(1, 2);
  await queue.extendLease(lease, 3);
  await queue.releaseLease(lease, null);
  return writes;
}

it("on PostgreSQL a lease outlives its server's failure, since its holder does", async () => {
  expect(await listWrites("postgres")).toEqual(["durable", "durable", "soon"]);
});

it("on SQLite nobody waits for a lease to reach the disk: both go down together", async () => {
  expect(await listWrites("sqlite")).toEqual(["soon", "soon", "soon"]);
});
