import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAmount, parseAmount } from "../src/money.js";

test("parseAmount reads whole cents", () => {
  assert.equal(parseAmount("12"), 1200);
  assert.equal(parseAmount("12.5"), 1250);
  assert.equal(parseAmount("12.05"), 1205);
  assert.equal(parseAmount("-38.50"), -3850);
  assert.equal(parseAmount(" +7.00 "), 700);
});

test("parseAmount refuses more than two decimals instead of guessing", () => {
  assert.throws(() => parseAmount("1.005"), RangeError);
  assert.throws(() => parseAmount("0.999"), RangeError);
});

test("parseAmount refuses what is no amount", () => {
  for (const text of ["", "abc", "1,50", "1.", ".5", "--1"]) {
    assert.throws(() => parseAmount(text), RangeError);
  }
});

test("formatAmount always shows two decimals", () => {
  assert.equal(formatAmount(1205), "12.05");
  assert.equal(formatAmount(-3850), "-38.50");
  assert.equal(formatAmount(0), "0.00");
  assert.equal(formatAmount(-5), "-0.05");
});
