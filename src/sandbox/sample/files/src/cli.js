import { parseArgs } from "node:util";
import { addEntry, balance } from "./ledger.js";
import { formatAmount, parseAmount } from "./money.js";
import { loadLedger, saveLedger } from "./store.js";
import { formatTable } from "./table.js";

const options = {
  file: { type: "string", default: "club.ledger.json" },
};

/** One function per command: positionals and options in, the text to show out. */
const commands = {
  async add([date, amount, ...memo], { file }) {
    if (amount === undefined) throw new RangeError("usage: tally add DATE AMOUNT MEMO");
    const entry = { date, amount: parseAmount(amount), memo: memo.join(" ") };
    await saveLedger(file, addEntry(await loadLedger(file), entry));
    return `Added ${formatAmount(entry.amount)} on ${date}.`;
  },

  async list(_, { file }) {
    const { entries } = await loadLedger(file);
    return formatTable(
      ["Date", "Amount", "Memo"],
      entries.map((entry) => [entry.date, formatAmount(entry.amount), entry.memo]),
      { right: [1] },
    );
  },

  async balance(_, { file }) {
    return formatAmount(balance(await loadLedger(file)));
  },
};

/**
 * @param {readonly string[]} args
 * @param {{ write: (text: string) => void, complain: (text: string) => void }} output
 * @returns {Promise<number>} exit code: 0, or 1 after a complaint
 */
export async function run(args, { write, complain }) {
  try {
    // `-38.50` is an amount, not a bundle of short options.
    const { values, positionals } = parseArgs({ args: protectNumbers(args), options, allowPositionals: true });
    const [name = "list", ...rest] = positionals.map(restoreNumber);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw new RangeError(`no such command: ${name}`);
    write(await command(rest, values));
    return 0;
  } catch (error) {
    complain(error.message);
    return 1;
  }
}

function protectNumbers(args) {
  return args.map((arg) => (/^-\d/.test(arg) ? `\0${arg}` : arg));
}

function restoreNumber(arg) {
  return arg.startsWith("\0") ? arg.slice(1) : arg;
}
