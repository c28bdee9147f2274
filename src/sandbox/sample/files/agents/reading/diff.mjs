/**
 * @param {string} patch `git diff`
 * @returns {Map<string, Set<number>>} per file that still exists, the numbers of the lines that are new
 */
export function readDiff(patch) {
  const files = new Map();
  let added = null;
  let line = 0;
  let left = { old: 0, new: 0 };
  for (const text of patch.split("\n")) {
    // Inside a hunk only the counts of its header say where it ends: a removed line may look like a header.
    if (left.old > 0 || left.new > 0) {
      if (text.startsWith("+")) {
        added?.add(line);
        line += 1;
        left.new -= 1;
      } else if (text.startsWith("-")) {
        left.old -= 1;
      } else if (!text.startsWith("\\")) {
        line += 1;
        left = { old: left.old - 1, new: left.new - 1 };
      }
      continue;
    }
    const header = /^\+\+\+ (?:"?b\/(.*?)"?|\/dev\/null)\t?$/.exec(text);
    if (header !== null) {
      added = header[1] === undefined ? null : new Set();
      if (added !== null) files.set(header[1], added);
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk !== null) {
      line = Number(hunk[2]);
      left = { old: Number(hunk[1] ?? 1), new: Number(hunk[3] ?? 1) };
    }
  }
  return files;
}
