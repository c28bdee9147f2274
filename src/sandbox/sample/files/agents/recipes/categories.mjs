/**
 * Entries get a category. The hasty way gives every entry one, which changes what old callers get back.
 */
import { append, importNames, insertAfter, replaceOnce } from "./toolkit.mjs";

const plainEntry = "  const entry = { date, amount, memo: memo.trim() };\n";
const hastyEntry = '  const entry = { date, amount, memo: memo.trim(), category: category ?? "none" };\n';
const carefulLine = "  if (category !== undefined) entry.category = category.trim();\n";

export async function apply({ workshop, careful }) {
  let ledger = await workshop.read("src/ledger.js");
  ledger = replaceOnce(ledger, "memo: string }} Entry", "memo: string, category?: string }} Entry");
  ledger = replaceOnce(ledger, "{ date, amount, memo }) {", "{ date, amount, memo, category }) {");
  ledger = insertAfter(
    ledger,
    '  if (memo.trim() === "") throw new RangeError("a memo is needed");\n',
    '  if (category?.trim() === "") throw new RangeError("a category needs a name");\n',
  );
  if (careful) {
    ledger = ledger.replace(hastyEntry, plainEntry);
    ledger = insertAfter(ledger, plainEntry, carefulLine);
  } else {
    ledger = replaceOnce(ledger, plainEntry, hastyEntry);
  }
  ledger = insertAfter(ledger, balanceFunction, listCategories);
  await workshop.write("src/ledger.js", ledger);

  let tests = await workshop.read("test/ledger.test.js");
  tests = importNames(tests, "../src/ledger.js", ["listCategories"]);
  await workshop.write("test/ledger.test.js", append(tests, ledgerTests));
  return {
    summary: "addEntry keeps a category when one is given; listCategories names those in use.",
    context: { services: [], patterns: ["`category` is absent, never empty, on entries without one."] },
  };
}

const balanceFunction = `export function balance(ledger) {
  return ledger.entries.reduce((sum, entry) => sum + entry.amount, 0);
}
`;

const listCategories = `
/**
 * @param {Ledger} ledger
 * @returns {string[]} the categories in use, in alphabetical order
 */
export function listCategories(ledger) {
  const names = ledger.entries.flatMap((entry) => entry.category ?? []);
  return [...new Set(names)].sort();
}
`;

const ledgerTests = `
test("addEntry keeps a category, without the blanks around it", () => {
  const ledger = addEntry(createLedger(), { ...rope, category: " boats " });
  assert.equal(ledger.entries[0].category, "boats");
});

test("addEntry throws a RangeError for a blank category", () => {
  assert.throws(() => addEntry(createLedger(), { ...rope, category: " " }), RangeError);
});

test("listCategories names each category in use once, in alphabetical order", () => {
  const boats = addEntry(createLedger(), { ...rope, category: "boats" });
  const both = addEntry(addEntry(boats, { ...fees, category: "fees" }), { ...rope, category: "boats" });
  assert.deepEqual(listCategories(addEntry(both, fees)), ["boats", "fees"]);
});
`;
