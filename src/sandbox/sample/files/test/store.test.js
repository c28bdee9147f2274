import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { addEntry, createLedger } from "../src/ledger.js";
import { loadLedger, saveLedger } from "../src/store.js";

test("a saved ledger is loaded again as it was", async (t) => {
  const file = await ledgerFile(t);
  const ledger = addEntry(createLedger(), { date: "2026-03-01", amount: 500, memo: "Tea" });
  await saveLedger(file, ledger);
  assert.deepEqual(await loadLedger(file), ledger);
});

test("a ledger without a file is empty", async (t) => {
  assert.deepEqual(await loadLedger(await ledgerFile(t)), createLedger());
});

test("a file that is no ledger is named in the complaint", async (t) => {
  const file = await ledgerFile(t);
  await writeFile(file, "not json");
  await assert.rejects(loadLedger(file), new RegExp("club.json is not a ledger"));
});

async function ledgerFile(t) {
  const folder = await mkdtemp(path.join(tmpdir(), "tally-"));
  t.after(() => rm(folder, { recursive: true }));
  return path.join(folder, "club.json");
}
