import { findExitCode } from "./document.ts";
import { examine, type ExamineOptions } from "./examine.ts";
import { formatErrors, formatReportJson, formatVerdict, formatWarnings } from "./report.ts";

/** `plan validate` and `plan lint`: they differ in whether warnings are counted or shown. */
export async function runValidate(
  files: readonly string[],
  options: ExamineOptions & { readonly json?: boolean },
  show: { readonly warnings: "counted" | "shown" },
): Promise<number> {
  let exitCode = 0;
  for (const file of files) {
    const examined = await examine(file, options);
    exitCode = Math.max(exitCode, findExitCode(examined));
    if (options.json === true) {
      console.log(formatReportJson(examined));
      continue;
    }
    const errors = formatErrors(examined);
    if (errors !== null) (examined.state === "unexaminable" ? console.error : console.log)(errors);
    const warnings = show.warnings === "shown" ? formatWarnings(examined) : null;
    if (warnings !== null) console.log(`${warnings}\n`);
    if (examined.state === "plan" || examined.state === "execution-plan") {
      const hint =
        show.warnings === "counted" && examined.warnings.length > 0 ? " (`taskfleet plan lint` shows them)" : "";
      console.log(`${formatVerdict(examined)}${hint}`);
    }
  }
  return exitCode;
}
