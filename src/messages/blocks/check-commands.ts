import { formatCode, formatCodeBlock, formatOneLine } from "../../contracts/markdown.ts";
import { listAcceptanceChecks } from "../../contracts/criteria.ts";
import type { Check, Plan } from "../../contracts/plan.ts";
import { formatVisibleText } from "./visible-text.ts";

/** Every command the plan would have run, letter by letter, with characters nobody sees made visible. */
export function formatCheckCommands(plan: Plan): string {
  const blocks = plan.chunks.map((chunk) => `${formatCode(chunk.id)}\n\n${formatCommands(chunk.checks)}`);
  return [...blocks, `On the whole feature\n\n${formatCommands(listAcceptanceChecks(plan.acceptance))}`].join("\n\n");
}

export function countCheckCommands(plan: Plan): number {
  return plan.chunks.reduce((sum, chunk) => sum + chunk.checks.length, listAcceptanceChecks(plan.acceptance).length);
}

function formatCommands(checks: readonly Check[]): string {
  return formatCodeBlock(checks.map(formatCommand).join("\n\n"), "sh");
}

function formatCommand(check: Check): string {
  const where = check.cwd === undefined ? "" : ` (in ${check.cwd})`;
  const exit = check.expect_exit ?? 0;
  const expected = exit === 0 ? "" : ` (must exit ${exit})`;
  return `# ${formatVisibleText(formatOneLine(`${check.desc}${where}${expected}`))}\n${formatVisibleText(check.run)}`;
}
