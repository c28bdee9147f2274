import type { Terminal } from "../terminal.ts";
import { type Examined, findExitCode } from "./document.ts";
import { examine, type ExamineOptions } from "./examine.ts";
import { formatErrors, formatReportJson } from "./report.ts";

export type ValidDocument = Extract<Examined, { state: "plan" | "execution-plan" }>;

/**
 * Hands each valid document to `print`, which returns what to print; reports the others (on
 * standard error, so that standard output holds results only; with `--json` in their place).
 */
export async function forEachDocument(
  terminal: Terminal,
  files: readonly string[],
  options: ExamineOptions & { readonly json?: boolean },
  print: (document: ValidDocument) => Promise<string> | string,
): Promise<number> {
  let exitCode = 0;
  for (const file of files) {
    const examined = await examine(terminal, file, options);
    exitCode = Math.max(exitCode, findExitCode(examined));
    if (examined.state === "plan" || examined.state === "execution-plan") terminal.write(await print(examined));
    else if (options.json === true) terminal.write(`${formatReportJson(examined)}\n`);
    else terminal.writeError(`${formatErrors(terminal, examined)}\n`);
  }
  return exitCode;
}
