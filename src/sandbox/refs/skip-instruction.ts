const BRACKETED = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]/i;

/**
 * True when a commit asks that no push and pull_request workflows start: a bracketed word anywhere, or
 * the trailer `skip-checks: true` (`skip-checks:true`) at the end, after two empty lines.
 * https://docs.github.com/en/actions/how-tos/manage-workflow-runs/skip-workflow-runs
 */
export function skipsWorkflows(message: string): boolean {
  return BRACKETED.test(message) || skipsChecks(message);
}

/** The trailer alone also keeps check suites from being requested. */
export function skipsChecks(message: string): boolean {
  return /\n\n\n(?:[\w-]+:[^\n]*\n)*skip-checks: ?true\s*$/.test(message);
}
