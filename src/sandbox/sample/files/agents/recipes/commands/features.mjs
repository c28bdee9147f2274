/**
 * What each feature adds to the command line, as pieces to be put into src/cli.js, its tests and the
 * README. A feature is built when the chunk's brief speaks of its command.
 */
export const features = [
  {
    name: "search",
    asked: /`search`/,
    imports: [["./ledger.js", ["selectEntries"]]],
    options: ['  from: { type: "string" },\n', '  to: { type: "string" },\n'],
    command: `
  async search(words, { file, category, from, to }) {
    const text = words.length === 0 ? undefined : words.join(" ");
    return formatEntries(selectEntries(await loadLedger(file), { text, category, from, to }));
  },
`,
    helper: "",
    row: "| `tally search [TEXT] [--category NAME] [--from DATE] [--to DATE]` | shows the entries that match all of it |\n",
    tests: `
test("search finds entries by text, --category, --from and --to", async (t) => {
  const tally = await startTally(t);
  await tally("add", "2026-03-04", "-38.50", "Rope", "--category", "boats");
  await tally("add", "2026-04-10", "-210", "Oars", "--category", "boats");
  const head = "Date         Amount  Memo  Category";
  const oars = "2026-04-10  -210.00  Oars  boats";
  assert.deepEqual(await tally("search", "OAR"), [0, [head, oars].join("\\n")]);
  assert.deepEqual(await tally("search", "--category", "boats", "--from", "2026-04-01", "--to", "2026-04-30"), [
    0,
    [head, oars].join("\\n"),
  ]);
});
`,
  },
  {
    name: "budget",
    asked: /`budget`/,
    imports: [
      ["./budgets.js", ["formatShare", "reviewBudgets", "setBudget"]],
      ["./months.js", ["parseMonth"]],
    ],
    options: [],
    command: `
  async budget([what, amount], { file }) {
    if (what === undefined) throw new RangeError("usage: tally budget MONTH, or tally budget CATEGORY AMOUNT");
    const ledger = await loadLedger(file);
    if (amount === undefined) return formatBudgets(reviewBudgets(ledger, parseMonth(what)));
    const cents = parseAmount(amount);
    await saveLedger(file, setBudget(ledger, what, cents));
    return \`Budget of \${what}: \${formatAmount(cents)} a month.\`;
  },
`,
    helper: `
function formatBudgets(budgets) {
  return formatTable(
    ["Category", "Budget", "Spent", "Left", "Used"],
    budgets.map(({ category, budget, spent, left }) => [
      category,
      ...[budget, spent, left].map(formatAmount),
      formatShare(spent, budget),
    ]),
    { right: [1, 2, 3, 4] },
  );
}
`,
    row: "| `tally budget CATEGORY AMOUNT` | sets what may be spent on a category in a month; 0 removes it |\n| `tally budget MONTH` | shows what is left of each budget |\n",
    tests: `
test("budget sets a budget and shows what is left of it", async (t) => {
  const tally = await startTally(t);
  await tally("add", "2026-03-04", "-75", "Rope", "--category", "boats");
  assert.deepEqual(await tally("budget", "boats", "300"), [0, "Budget of boats: 300.00 a month."]);
  assert.deepEqual(await tally("budget", "2026-03"), [
    0,
    ["Category  Budget  Spent    Left  Used", "boats     300.00  75.00  225.00  25 %"].join("\\n"),
  ]);
});
`,
  },
  {
    name: "report",
    asked: /`report`/,
    imports: [
      ["./months.js", ["parseMonth"]],
      ["./report.js", ["buildReport"]],
    ],
    options: [],
    command: `
  async report([month = ""], { file }) {
    return formatReport(buildReport(await loadLedger(file), parseMonth(month)));
  },
`,
    helper: `
function formatReport({ income, spending, categories }) {
  const sums = [["Income", income], ["Spending", 0 - spending]];
  const rows = [...sums, ...categories.map(({ category, amount }) => [\`  \${category}\`, amount])];
  return formatTable(
    ["", "Amount"],
    rows.map(([name, amount]) => [name, formatAmount(amount)]),
    { right: [1] },
  );
}
`,
    row: "| `tally report MONTH` | shows income, spending and the sum of each category |\n",
    tests: `
test("report shows income, spending and each category of a month", async (t) => {
  const tally = await startTally(t);
  await tally("add", "2026-03-01", "120", "Fees");
  await tally("add", "2026-03-04", "-38.50", "Rope", "--category", "boats");
  assert.deepEqual(await tally("report", "2026-03"), [
    0,
    [
      "                 Amount",
      "Income           120.00",
      "Spending         -38.50",
      "  boats          -38.50",
      "  uncategorised  120.00",
    ].join("\\n"),
  ]);
});

test("report of what is no month is a complaint", async (t) => {
  const tally = await startTally(t);
  assert.deepEqual(await tally("report", "March"), [1, "not a month: March"]);
});
`,
  },
];

/** `report --csv` changes the report's command instead of adding one. */
export const csv = {
  asked: /`--csv`/,
  option: "  csv: { type: \"boolean\", default: false },\n",
  plainCommand: `
  async report([month = ""], { file }) {
    return formatReport(buildReport(await loadLedger(file), parseMonth(month)));
  },
`,
  command: `
  async report([month = ""], { file, csv }) {
    const report = buildReport(await loadLedger(file), parseMonth(month));
    if (!csv) return formatReport(report);
    const rows = report.categories.map(({ category, amount }) => [category, formatAmount(amount)]);
    return formatCsv([["Category", "Amount"], ...rows]);
  },
`,
  plainRow: "| `tally report MONTH` | shows income, spending and the sum of each category |\n",
  row: "| `tally report MONTH [--csv]` | shows income, spending and the sum of each category; `--csv` gives the categories to a spreadsheet |\n",
  tests: `
test("report --csv gives the categories to a spreadsheet", async (t) => {
  const tally = await startTally(t);
  await tally("add", "2026-03-04", "-38.50", "Rope", "--category", "boats, small");
  assert.deepEqual(await tally("report", "2026-03", "--csv"), [0, 'Category,Amount\\r\\n"boats, small",-38.50']);
});
`,
};
