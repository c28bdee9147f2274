import { readFile, rename, writeFile } from "node:fs/promises";
import { createLedger } from "./ledger.js";

/**
 * @param {string} file
 * @returns {Promise<import("./ledger.js").Ledger>} an empty ledger when there is no file yet
 */
export async function loadLedger(file) {
  let text;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return createLedger();
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is not a ledger`);
  }
}

/** Writes beside the file first, so that a crash never leaves half a ledger. */
export async function saveLedger(file, ledger) {
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(ledger, null, 2)}\n`);
  await rename(draft, file);
}
