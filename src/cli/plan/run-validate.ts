import type { Terminal } from "../terminal.ts";
import { findExitCode } from "./document.ts";
import { examine, type ExamineOptions } from "./examine.ts";
import { formatErrors, formatReportJson, formatVerdict, formatWarnings } from "./report.ts";

/** `plan validate` and `plan lint`: they differ in whether warnings are counted or shown. */
export async function runValidate(
  terminal: Terminal,
  files: readonly string[],
  options: ExamineOptions & { readonly json?: boolean },
  show: { readonly warnings: "counted" | "shown" },
): Promise<number> {
  let exitCode = 0;
  for (const file of files) {
    const examined = await examine(terminal, file, options);
    exitCode = Math.max(exitCode, findExitCode(examined));
    if (options.json === true) {
      terminal.write(`${formatReportJson(examined)}\n`);
      continue;
    }
    const errors = formatErrors(terminal, examined);
    if (errors !== null) (examined.state === "unexaminable" ? terminal.writeError : terminal.write)(`${errors}\n`);
    const warnings = show.warnings === "shown" ? formatWarnings(terminal, examined) : null;
    if (warnings !== null) terminal.write(`${warnings}\n\n`);
    if (examined.state === "plan" || examined.state === "execution-plan") {
      const hint =
        show.warnings === "counted" && examined.warnings.length > 0 ? " (`taskfleet plan lint` shows them)" : "";
      terminal.write(`${formatVerdict(examined)}${hint}\n`);
    }
  }
  return exitCode;
}
