import type { ReadingStore } from "../../store/open-for-reading.ts";
import type { SetExitCode } from "../command-registry.ts";
import type { Terminal } from "../terminal.ts";
import { formatTerminalLine } from "../terminal-text.ts";
import { openRunStore } from "./find-run.ts";
import { isOperatorFailure } from "./operator-failure.ts";

/** Asks the App's store, as the environment names it. What cannot be asked is said in one line, with exit code 2. */
export async function askStore(
  terminal: Terminal,
  setExitCode: SetExitCode,
  ask: (store: ReadingStore) => Promise<void>,
): Promise<void> {
  let store: ReadingStore | null = null;
  try {
    store = await openRunStore(process.env);
    await ask(store);
  } catch (error) {
    if (!isOperatorFailure(error)) throw error;
    terminal.writeError(`${formatTerminalLine(error.message)}\n`);
    setExitCode(2);
  } finally {
    await store?.close();
  }
}
