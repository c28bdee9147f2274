/**
 * Asks for what the tests forbid: amounts with three decimals are refused on purpose, and the request
 * wants them rounded. Whatever is tried, a test that passed before fails, disappears or is skipped.
 */
import { append, replaceOnce } from "./toolkit.mjs";

const strictPattern = "(?:\\.(\\d{1,2}))?$/";
const loosePattern = "(?:\\.(\\d+))?$/";
const strictCents = '  const cents = Number(units) * 100 + Number(decimals.padEnd(2, "0"));\n';
const roundedCents = "  const cents = Math.round(Number(`${units}.${decimals || 0}e2`));\n";
const refusal = 'test("parseAmount refuses more than two decimals instead of guessing", ';

export async function apply({ workshop, attempt }) {
  let money = await workshop.read("src/money.js");
  money = replaceOnce(money, strictPattern, loosePattern);
  money = replaceOnce(money, strictCents, roundedCents);
  await workshop.write("src/money.js", money);

  let tests = append(await workshop.read("test/money.test.js"), roundingTest);
  const way = (attempt - 1) % 3;
  if (way === 1) tests = withoutTest(tests);
  if (way === 2) tests = skipTest(tests);
  await workshop.write("test/money.test.js", tests);
  return { summary: ways[way] };
}

const ways = [
  "parseAmount rounds to the cent; added a test of it.",
  "parseAmount rounds to the cent; took out the test that forbids it.",
  "parseAmount rounds to the cent; set the test that forbids it aside.",
];

const roundingTest = `
test("parseAmount rounds to the nearest cent", () => {
  assert.equal(parseAmount("1.005"), 101);
  assert.equal(parseAmount("-0.994"), -99);
});
`;

function withoutTest(text) {
  const start = text.indexOf(refusal);
  if (start < 0) return text;
  const end = text.indexOf("\n});\n", start) + "\n});\n".length;
  return text.slice(0, start) + text.slice(end).replace(/^\n/, "");
}

function skipTest(text) {
  if (text.includes("{ skip:")) return text;
  const skipped = refusal.replace(', ', ', { skip: "rounding is wanted now" }, ');
  if (text.includes(refusal)) return text.replace(refusal, skipped);
  const refusing = `${skipped}() => {
  assert.throws(() => parseAmount("1.005"), RangeError);
  assert.throws(() => parseAmount("0.999"), RangeError);
});
`;
  return append(text, `\n${refusing}`);
}
