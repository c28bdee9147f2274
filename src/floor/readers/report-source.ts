/** Where a report comes from, as far as its reader has to know. */
export interface ReportSource {
  /** Absolute folders that are the repository's root on the machine that wrote the report. */
  readonly roots: readonly string[];
}

export const NO_SOURCE: ReportSource = { roots: [] };

/**
 * A path of a report as a repository path: without the machine's root, `./`, `file://` and
 * backslashes. What lies outside the root stays as it is.
 */
export function relativizePath(path: string, source: ReportSource): string {
  let result = path.replace(/^file:\/\//u, "").replaceAll("\\", "/");
  for (const root of source.roots) {
    const folder = root.endsWith("/") ? root : `${root}/`;
    if (result.startsWith(folder)) {
      result = result.slice(folder.length);
      break;
    }
  }
  return result.replace(/^(?:\.\/)+/u, "");
}

/** Names as the reports and the baseline's hashes agree on them: one line, composed, at most 1,000 characters. */
export function cleanName(name: string): string {
  return name
    .replaceAll(/[\0\r\n\t]+/gu, " ")
    .trim()
    .normalize("NFC")
    .slice(0, 1000);
}

const maxMessage = 4000;

export function cutMessage(message: string): string {
  return message.length > maxMessage ? `${message.slice(0, maxMessage - 3)}...` : message;
}

/** A line number as reports write it, or undefined for anything else. */
export function parseLine(value: unknown): number | undefined {
  const line = typeof value === "string" ? Number(value) : value;
  return typeof line === "number" && Number.isSafeInteger(line) && line >= 1 ? line : undefined;
}
