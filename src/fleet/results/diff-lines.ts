/** Lines of the new file in a unified diff, as GitHub's `patch` gives it. */
export interface DiffLines {
  /** Lines the change adds. */
  readonly added: ReadonlySet<number>;
  /** Lines that stand in a hunk, unchanged ones included: only these can carry a review comment. */
  readonly shown: ReadonlySet<number>;
}

export function parseDiffLines(patch: string | null): DiffLines {
  const added = new Set<number>();
  const shown = new Set<number>();
  let line = 0;
  for (const text of (patch ?? "").split("\n")) {
    const hunk = /^@@ -[0-9]+(?:,[0-9]+)? \+([0-9]+)(?:,[0-9]+)? @@/u.exec(text);
    if (hunk !== null) {
      line = Number(hunk[1]);
      continue;
    }
    if (line === 0 || text.startsWith("-") || text.startsWith("\\")) continue;
    if (text.startsWith("+")) added.add(line);
    shown.add(line);
    line += 1;
  }
  return { added, shown };
}
