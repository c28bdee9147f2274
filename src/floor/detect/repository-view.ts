/** A tree as detection sees it. */
export interface RepositoryView {
  readonly files: ReadonlySet<string>;
  readonly readText: (path: string) => string | null;
}

/** The first of these files that is in the tree. */
export function findFile(view: RepositoryView, names: readonly string[]): string | null {
  return names.find((name) => view.files.has(name)) ?? null;
}

export function hasFile(view: RepositoryView, pattern: RegExp): boolean {
  for (const file of view.files) if (pattern.test(file)) return true;
  return false;
}

/** Reports are written beside the sources under names that no tool collects, and are removed after reading. */
export const TEST_REPORT = ".taskfleet-tests.xml";
export const TEST_REPORT_JSON = ".taskfleet-tests.json";
export const LINT_REPORT = ".taskfleet-lint.json";

export function command(text: string, minutes = 10): { readonly command: string; readonly timeout_minutes: number } {
  return { command: text, timeout_minutes: minutes };
}
