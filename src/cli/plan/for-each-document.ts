import { type Examined, findExitCode } from "./document.ts";
import { examine, type ExamineOptions } from "./examine.ts";
import { formatErrors, formatReportJson } from "./report.ts";

export type ValidDocument = Extract<Examined, { state: "plan" | "execution-plan" }>;

/**
 * Hands each valid document to `print`, which returns what to print; reports the others (on
 * standard error, so that standard output holds results only; with `--json` in their place).
 */
export async function forEachDocument(
  files: readonly string[],
  options: ExamineOptions & { readonly json?: boolean },
  print: (document: ValidDocument) => Promise<string> | string,
): Promise<number> {
  let exitCode = 0;
  for (const file of files) {
    const examined = await examine(file, options);
    exitCode = Math.max(exitCode, findExitCode(examined));
    if (examined.state === "plan" || examined.state === "execution-plan") process.stdout.write(await print(examined));
    else if (options.json === true) console.log(formatReportJson(examined));
    else console.error(formatErrors(examined));
  }
  return exitCode;
}
