export interface TreeContentEntry {
  /** As git stores it: no leading zero. */
  readonly mode: string;
  readonly sha: string;
}

export const FOLDER_MODE = "40000";

/** https://git-scm.com/book/en/v2/Git-Internals-Git-Objects: `<mode> <name>\0<20 bytes>`, over and over. */
export function parseTreeContent(content: Buffer): Map<string, TreeContentEntry> {
  const entries = new Map<string, TreeContentEntry>();
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(32, at);
    const end = content.indexOf(0, space);
    const name = content.toString("utf8", space + 1, end);
    entries.set(name, {
      mode: content.toString("latin1", at, space),
      sha: content.toString("hex", end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}

/** git sorts folders as if their names ended with a slash. */
export function formatTreeContent(entries: ReadonlyMap<string, TreeContentEntry>): Buffer {
  const rows = [...entries].map(([name, entry]) => ({
    key: Buffer.from(entry.mode === FOLDER_MODE ? `${name}/` : name),
    row: Buffer.concat([Buffer.from(`${entry.mode} ${name}\0`), Buffer.from(entry.sha, "hex")]),
  }));
  return Buffer.concat(rows.toSorted((a, b) => Buffer.compare(a.key, b.key)).map(({ row }) => row));
}
