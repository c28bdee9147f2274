/** Lines of a step's log. The runner obeys lines that begin with `::` or `##[`, so none of ours may. */

/** Says something of our own. */
export function log(text: string): void {
  process.stdout.write(`${text.replaceAll(/\r?\n/gu, " ")}\n`);
}

/** Shows text of somebody else, line by line behind a bar. */
export function logForeign(title: string, text: string): void {
  const lines = text.trim().split(/\r\n|\r|\n/u);
  log(`${title}:`);
  for (const line of lines.slice(-40)) process.stdout.write(`  | ${line}\n`);
}

/** A warning in the run's summary. */
export function logWarning(text: string): void {
  process.stdout.write(`::warning::${escapeCommand(text)}\n`);
}

export function logError(text: string): void {
  process.stdout.write(`::error::${escapeCommand(text)}\n`);
}

/** As the runner's own toolkit escapes a command's message. */
function escapeCommand(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
