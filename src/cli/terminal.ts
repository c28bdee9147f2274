import { formatTerminalText } from "./terminal-text.ts";

/** Where a command reads from and writes to; tests and other programs bring their own. */
export interface Terminal {
  /** Results, on standard output. */
  readonly write: (text: string) => void;
  /** What went wrong, on standard error. */
  readonly writeError: (text: string) => void;
  readonly input: AsyncIterable<Uint8Array>;
  /** Whether somebody looks at the results and likes colours. */
  readonly isColoured: boolean;
}

/** The process's own streams. A reader that has seen enough (`| head`) is no failure. */
export function openTerminal(): Terminal {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    // A program that reads it gets it as it is: a JSON text, a plan.
    write: (text) => void process.stdout.write(process.stdout.isTTY ? formatTerminalText(text) : text),
    writeError: (text) => void process.stderr.write(formatTerminalText(text)),
    get input() {
      return process.stdin as AsyncIterable<Uint8Array>;
    },
    isColoured: process.stdout.isTTY && process.env["NO_COLOR"] === undefined,
  };
}
