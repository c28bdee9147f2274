export interface DiffLine {
  /** Counted from the line below the first `@@` on, over all hunks. */
  readonly position: number;
  /** Line number before the change; null for added lines. */
  readonly left: number | null;
  /** Line number after the change; null for removed lines. */
  readonly right: number | null;
  /** The hunk's text from its `@@` line to this line. */
  readonly hunk: string;
}

/** Every line a patch shows: the only places an inline comment can stand at. */
export function parseDiffLines(patch: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let position = -1;
  let left = 0;
  let right = 0;
  let hunk: string[] = [];
  for (const text of patch.split("\n")) {
    position += 1;
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (header !== null) {
      left = Number(header[1]);
      right = Number(header[2]);
      hunk = [text];
      continue;
    }
    if (text.startsWith("\\")) continue;
    hunk.push(text);
    const entry = { position, hunk: hunk.join("\n") };
    if (text.startsWith("+")) lines.push({ ...entry, left: null, right: right++ });
    else if (text.startsWith("-")) lines.push({ ...entry, left: left++, right: null });
    else lines.push({ ...entry, left: left++, right: right++ });
  }
  return lines;
}
