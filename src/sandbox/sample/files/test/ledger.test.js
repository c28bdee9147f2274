import assert from "node:assert/strict";
import { test } from "node:test";
import { addEntry, balance, createLedger, isDate } from "../src/ledger.js";

const fees = { date: "2026-03-01", amount: 12000, memo: "Membership fees" };
const rope = { date: "2026-03-04", amount: -3850, memo: "Rope and paint" };

test("addEntry stores exactly what it was given", () => {
  const ledger = addEntry(createLedger(), fees);
  assert.deepEqual(ledger.entries, [fees]);
});

test("addEntry leaves the ledger it was given alone", () => {
  const before = addEntry(createLedger(), fees);
  addEntry(before, rope);
  assert.deepEqual(before.entries, [fees]);
});

test("addEntry keeps entries in the order of their dates", () => {
  const ledger = addEntry(addEntry(createLedger(), rope), fees);
  assert.deepEqual(ledger.entries, [fees, rope]);
});

test("addEntry refuses a bad date, part of a cent and a blank memo", () => {
  assert.throws(() => addEntry(createLedger(), { ...fees, date: "2026-02-30" }), RangeError);
  assert.throws(() => addEntry(createLedger(), { ...fees, amount: 0.5 }), RangeError);
  assert.throws(() => addEntry(createLedger(), { ...fees, memo: "  " }), RangeError);
});

test("balance adds up all amounts", () => {
  assert.equal(balance(createLedger()), 0);
  assert.equal(balance(addEntry(addEntry(createLedger(), fees), rope)), 8150);
});

test("isDate knows the calendar", () => {
  assert.equal(isDate("2024-02-29"), true);
  assert.equal(isDate("2026-02-29"), false);
  assert.equal(isDate("2026-3-1"), false);
});
