/** Wires what has landed into the command line, its tests and the README. */
import { csv, features } from "./commands/features.mjs";
import { append, importNames, insertBefore, replaceOnce } from "./toolkit.mjs";

export async function apply({ workshop, chunk }) {
  const wanted = features.filter((feature) => feature.asked.test(chunk.brief));
  const asCsv = csv.asked.test(chunk.brief);
  let cli = addCategory(await workshop.read("src/cli.js"));
  let tests = await workshop.read("test/cli.test.js");
  let readme = await workshop.read("README.md");
  readme = replaceOnce(readme, "`tally add DATE AMOUNT MEMO`", "`tally add DATE AMOUNT MEMO [--category NAME]`");

  for (const feature of wanted) {
    for (const [source, names] of feature.imports) cli = addImport(cli, source, names);
    for (const option of feature.options) cli = insertBefore(cli, endOfOptions, option);
    if (!cli.includes(`async ${feature.name}(`)) cli = insertBefore(cli, endOfCommands, feature.command);
    cli = append(cli, feature.helper);
    tests = insertBefore(tests, startOfHelpers, `${feature.tests.trimStart()}\n`);
    if (!readme.includes(`\`tally ${feature.name} `)) readme = insertBefore(readme, endOfTable, feature.row);
  }
  if (asCsv) {
    cli = addImport(cli, "./csv.js", ["formatCsv"]);
    cli = insertBefore(cli, endOfOptions, csv.option);
    cli = replaceOnce(cli, csv.plainCommand, csv.command);
    tests = insertBefore(tests, startOfHelpers, `${csv.tests.trimStart()}\n`);
    readme = replaceOnce(readme, csv.plainRow, csv.row);
  }
  if (chunk.brief.includes("more than two decimals")) readme = insertBefore(readme, endOfTable, roundingNote);
  await workshop.write("src/cli.js", cli);
  await workshop.write("test/cli.test.js", tests);
  await workshop.write("README.md", readme);
  const names = [...wanted.map((feature) => feature.name), ...(asCsv ? ["report --csv"] : [])];
  return { summary: `New on the command line: add --category, ${names.join(", ")}; described in the README.` };
}

const endOfOptions = "};\n\n/** One function per command";
const endOfCommands = "};\n\n/**\n * @param {readonly string[]} args";
const startOfHelpers = "/** A function that runs one command";
const roundingNote = "\nAmounts with more than two decimals are rounded to the cent.\n";
const endOfTable = "\n`--file PATH` names the ledger";

function addCategory(text) {
  let cli = insertBefore(text, endOfOptions, '  category: { type: "string" },\n');
  cli = replaceOnce(cli, "async add([date, amount, ...memo], { file }) {", "async add([date, amount, ...memo], { file, category }) {");
  cli = replaceOnce(cli, 'usage: tally add DATE AMOUNT MEMO"', 'usage: tally add DATE AMOUNT MEMO [--category NAME]"');
  cli = replaceOnce(
    cli,
    'const entry = { date, amount: parseAmount(amount), memo: memo.join(" ") };',
    'const entry = { date, amount: parseAmount(amount), memo: memo.join(" "), category };',
  );
  cli = replaceOnce(cli, plainList, "    return formatEntries(entries);\n");
  return append(cli, formatEntries);
}

const plainList = `    return formatTable(
      ["Date", "Amount", "Memo"],
      entries.map((entry) => [entry.date, formatAmount(entry.amount), entry.memo]),
      { right: [1] },
    );
`;

const formatEntries = `
/** The column of categories is left out where no entry has one. */
function formatEntries(entries) {
  const categorised = entries.some((entry) => entry.category !== undefined);
  return formatTable(
    ["Date", "Amount", "Memo", ...(categorised ? ["Category"] : [])],
    entries.map((entry) => [
      entry.date,
      formatAmount(entry.amount),
      entry.memo,
      ...(categorised ? [entry.category ?? ""] : []),
    ]),
    { right: [1] },
  );
}
`;

/** Imports of our own modules stand in alphabetical order. */
function addImport(text, source, names) {
  if (text.includes(`from "${source}";`)) return importNames(text, source, names);
  const line = `import { ${names.join(", ")} } from "${source}";\n`;
  const later = [...text.matchAll(/^import \{[^}]+\} from "(\.\/[^"]+)";\n/gm)].find(([, other]) => other > source);
  return insertBefore(text, later === undefined ? "\nconst options" : later[0], line);
}
