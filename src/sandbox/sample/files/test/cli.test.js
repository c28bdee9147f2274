import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { run } from "../src/cli.js";

test("entries that were added are listed and summed up", async (t) => {
  const tally = await startTally(t);
  assert.deepEqual(await tally("add", "2026-03-04", "-38.50", "Rope and paint"), [0, "Added -38.50 on 2026-03-04."]);
  assert.deepEqual(await tally("add", "2026-03-01", "120", "Membership", "fees"), [0, "Added 120.00 on 2026-03-01."]);
  assert.deepEqual(await tally("list"), [
    0,
    [
      "Date        Amount  Memo",
      "2026-03-01  120.00  Membership fees",
      "2026-03-04  -38.50  Rope and paint",
    ].join("\n"),
  ]);
  assert.deepEqual(await tally("balance"), [0, "81.50"]);
});

test("a bad amount is a complaint and changes nothing", async (t) => {
  const tally = await startTally(t);
  assert.deepEqual(await tally("add", "2026-03-04", "much", "Rope"), [1, "not an amount: much"]);
  assert.deepEqual(await tally("balance"), [0, "0.00"]);
});

test("an unknown command is a complaint", async (t) => {
  const tally = await startTally(t);
  assert.deepEqual(await tally("frobnicate"), [1, "no such command: frobnicate"]);
});

/** A function that runs one command on a ledger of its own: [exit code, what was shown]. */
async function startTally(t) {
  const folder = await mkdtemp(path.join(tmpdir(), "tally-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "club.json");
  return async (...args) => {
    const shown = [];
    const output = { write: (text) => shown.push(text), complain: (text) => shown.push(text) };
    return [await run([...args, "--file", file], output), shown.join("\n")];
  };
}
