/**
 * What this planner knows how to build: for each part of a feature the words that ask for it, what must
 * be there first, and the chunk. Criteria name the code they speak of in backticks.
 *
 * `id` names the chunk and its recipe; `needs` are the ids it builds on.
 */
export const parts = [
  {
    id: "months",
    asks: null,
    needs: [],
    chunk: {
      title: "Months of the calendar",
      tier: "code",
      brief: [
        "Add `src/months.js`: `parseMonth(text)` gives back a month written `YYYY-MM` and throws a RangeError for anything",
        "else; `monthOf(date)` gives the month a day `YYYY-MM-DD` lies in; `monthsBetween(first, last)` lists every month",
        "from first to last, both included, also across the turn of the year. Test all three in `test/months.test.js`.",
        "Nothing else changes.",
      ],
      files_touched: ["src/months.js", "test/months.test.js"],
      checks: [
        {
          desc: "`parseMonth`, `monthOf` and `monthsBetween` do what their tests say",
          run: "node --test test/months.test.js",
        },
      ],
      assertions: [
        "`parseMonth` throws a `RangeError` for a month that does not exist, such as `2026-13`",
        "`monthsBetween` crosses the turn of the year, e.g. from `2025-11` to `2026-02`",
      ],
      requires_tests: true,
    },
  },
  {
    id: "categories",
    asks: /\bcarry a category\b/i,
    needs: [],
    chunk: {
      title: "Entries can carry a category",
      tier: "mid",
      brief: [
        "In `src/ledger.js`: `addEntry` takes an optional `category`. It is stored without the blanks around it, and only when",
        "one is given: entries without a category keep the shape they have, so that old ledgers stay as they are. A blank",
        "category is a RangeError. `listCategories(ledger)` gives the categories in use, in alphabetical order. Add tests to",
        "`test/ledger.test.js`; the tests that are there stay as they are.",
        "CRITICAL: an entry that was added without a category must not have the key at all.",
      ],
      files_touched: ["src/ledger.js", "test/ledger.test.js"],
      checks: [
        { desc: "`addEntry` and `listCategories` do what their tests say", run: "node --test test/ledger.test.js" },
      ],
      assertions: [
        "`addEntry` throws a `RangeError` for a blank `category`",
        "`listCategories` names each category in use once, in alphabetical order",
      ],
      requires_tests: true,
    },
  },
  {
    id: "search",
    asks: /\bsearched?\b/i,
    needs: [],
    chunk: {
      title: "Find entries by text, category and period",
      tier: "code",
      brief: [
        "Add `selectEntries(ledger, { text, category, from, to })` at the end of `src/ledger.js`: every condition that is given",
        "must hold; `text` is looked for in the memo in whatever case; `from` and `to` are days, both included. Entries",
        "without a category match no category. Tests go into `test/search.test.js`.",
      ],
      files_touched: ["src/ledger.js", "test/search.test.js"],
      checks: [{ desc: "`selectEntries` does what its tests say", run: "node --test test/search.test.js" }],
      assertions: [
        "`selectEntries` looks for `text` in the memo in whatever case",
        "`selectEntries` counts both days of `from` and `to` in",
      ],
      requires_tests: true,
    },
  },
  {
    id: "rounding",
    asks: /\bmore than two decimals\b/i,
    needs: [],
    chunk: {
      title: "Amounts are rounded to the cent",
      tier: "code",
      brief: [
        "In `src/money.js`: `parseAmount` accepts more than two decimals and rounds to the nearest cent, halves away from",
        "zero. Everything else it does stays, and so do its tests. Add tests to `test/money.test.js`.",
      ],
      files_touched: ["src/money.js", "test/money.test.js"],
      checks: [{ desc: "`parseAmount` does what its tests say", run: "node --test test/money.test.js" }],
      assertions: ["`parseAmount` rounds `1.005` to the nearest cent"],
      requires_tests: true,
    },
  },
  {
    id: "budgets",
    asks: /\bbudget\b/i,
    needs: ["months", "categories"],
    chunk: {
      title: "Budgets per category",
      tier: "mid",
      brief: [
        "Add `src/budgets.js`. Budgets are kept in the ledger as `budgets: { [category]: cents }`. `setBudget(ledger, category,",
        "amount)` gives a new ledger, 0 removes a budget, less than nothing or a blank category is a RangeError.",
        "`reviewBudgets(ledger, month)` gives `{ category, budget, spent, left }` of every budget, in alphabetical order; income",
        "does not count; `left` is negative when too much was spent. `formatShare(part, whole)` shows whole per cent. Use",
        "`monthOf` of `src/months.js`. Tests go into `test/budgets.test.js`.",
      ],
      files_touched: ["src/budgets.js", "test/budgets.test.js"],
      checks: [
        {
          desc: "`setBudget`, `reviewBudgets` and `formatShare` do what their tests say",
          run: "node --test test/budgets.test.js",
        },
      ],
      assertions: [
        "`setBudget` throws a `RangeError` for less than nothing and for a blank category",
        "`reviewBudgets` shows a negative `left` when too much was spent",
      ],
      requires_tests: true,
    },
  },
  {
    id: "monthly-report",
    asks: /\breport shows\b/i,
    needs: ["months", "categories"],
    chunk: {
      title: "The monthly report",
      tier: "mid",
      brief: [
        "Add `src/report.js`: `buildReport(ledger, month)` gives `{ month, income, spending, categories }` in whole cents;",
        "`categories` is a list of `{ category, amount }` in alphabetical order. Entries without a category are counted under",
        "`uncategorised`, which comes last and only when there are such entries, so that the categories always add up to income",
        "less spending. Use `monthOf` of `src/months.js`. Tests go into `test/report.test.js`.",
      ],
      files_touched: ["src/report.js", "test/report.test.js"],
      checks: [{ desc: "`buildReport` does what its tests say", run: "node --test test/report.test.js" }],
      assertions: [
        "`buildReport` gives `income` and `spending` of one month",
        "`buildReport` counts entries without a category as `uncategorised`, so that the categories add up",
      ],
      requires_tests: true,
    },
  },
  {
    id: "csv-export",
    asks: /\bcsv\b/i,
    needs: [],
    chunk: {
      title: "Comma-separated values",
      tier: "code",
      brief: [
        "Add `src/csv.js`: `formatCsv(rows)` gives rows of texts as RFC 4180 has them, without a final line break. Cells with",
        "commas, quotes or line breaks are quoted. Tests go into `test/csv.test.js`.",
        "CRITICAL: a text that a spreadsheet would run as a formula gets an apostrophe in front; numbers stay numbers.",
      ],
      files_touched: ["src/csv.js", "test/csv.test.js"],
      checks: [{ desc: "`formatCsv` does what its tests say", run: "node --test test/csv.test.js" }],
      assertions: ["`formatCsv` keeps a spreadsheet from running a cell such as `=SUM(A1)` as a formula"],
      requires_tests: true,
    },
  },
];

/** What each part gives the command line: the sentence for the brief and the criterion. */
const commandLine = {
  search: {
    brief: "`search` shows what `selectEntries` finds for the words and for `--category`, `--from` and `--to`.",
    assertion: "`search` finds entries by text, `--category`, `--from` and `--to`",
  },
  budgets: {
    brief: "`budget` with a category and an amount sets a budget; with a month it shows what `reviewBudgets` says.",
    assertion: "`budget` sets a budget and shows what is left of it",
  },
  "monthly-report": {
    brief: "`report` with a month shows what `buildReport` gives, income and spending first.",
    assertion: "`report` shows `income`, `spending` and each category of a month",
  },
  "csv-export": {
    brief: "With `--csv` the report's categories are shown by `formatCsv`.",
    assertion: "`report` with `--csv` gives the categories to a spreadsheet",
  },
  rounding: {
    brief: "`add` takes amounts with more than two decimals; the README says that they are rounded.",
    assertion: null,
  },
};

/**
 * The chunk that makes everything reachable.
 *
 * @param {string} id
 * @param {readonly string[]} ids the parts of the plan
 */
export function buildCommands(id, ids) {
  const reachable = ids.filter((part) => Object.hasOwn(commandLine, part));
  return {
    id,
    title: "Commands and README",
    deps: reachable,
    tier: "mid",
    brief: [
      "Wire what has landed into `src/cli.js`, one function per command, and describe it in the table of commands in",
      "`README.md`. `add` takes `--category`; `list` has a column for categories when some entry has one, else it looks as before.",
      ...reachable.map((part) => commandLine[part].brief),
      "A bad month or amount is a complaint and exit code 1. Tests go into `test/cli.test.js`; those that are there stay.",
    ].join("\n"),
    files_touched: ["README.md", "src/cli.js", "test/cli.test.js"],
    checks: [
      { desc: `${listNames(reachable)} on the command line: what the tests say`, run: "node --test test/cli.test.js" },
      { desc: "the README's table lists `add` with `--category`", run: "grep -q -e '--category NAME' README.md" },
    ],
    assertions: reachable.flatMap((part) => commandLine[part].assertion ?? []),
    requires_tests: true,
  };
}

/** The commands that a chunk brings, as criteria name them. */
function listNames(reachable) {
  const names = reachable.flatMap((part) => /^`(\w+)`/.exec(commandLine[part].assertion ?? "")?.[1] ?? []);
  const quoted = [...new Set(names)].map((name) => `\`${name}\``);
  return quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}` : (quoted[0] ?? "`add`");
}

export function buildChunk(part, ids) {
  const { brief, ...rest } = part.chunk;
  const deps = part.needs.filter((need) => ids.includes(need));
  return { id: part.id, ...rest, brief: brief.join("\n"), ...(deps.length > 0 ? { deps } : {}) };
}
