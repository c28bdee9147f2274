/** What a final reviewer can read of a change, however large it is: a map that names every file, and patches. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { listChangedLines, writeDiff } from "../git/export-tree.ts";
import { type ChangedLines, groupChanges } from "./group-changes.ts";
import type { ReadingRoom } from "./open-reading-room.ts";

/** Below this a single patch is read in one go. */
const SMALL_LINES = 2_000;
const GROUP_LINES = 1_500;

/**
 * Writes `diff/MAP.md` and one patch per group of files where the change is large; `diff.patch` stays complete.
 * @returns the map: every changed file, once
 */
export async function writeReviewMap(room: ReadingRoom, base: string, commit: string): Promise<string> {
  const files = await listChangedLines(room.store, base, commit);
  const lines = files.reduce((sum, file) => sum + (file.lines ?? 0), 0);
  if (lines <= SMALL_LINES) return files.map(formatFile).join("\n");
  const groups = groupChanges(files, GROUP_LINES);
  const folder = path.join(room.folder, "diff");
  await mkdir(folder, { recursive: true });
  const parts: string[] = [];
  for (const group of groups) {
    const paths = group.files.map((file) => file.path);
    await writeDiff(room.store, base, commit, path.join(folder, `${group.name}.patch`), paths);
    parts.push(
      `diff/${group.name}.patch (${group.files.length} files, ${group.lines} changed lines):\n${group.files.map(formatFile).join("\n")}`,
    );
  }
  const map = `${files.length} changed files, ${lines} changed lines, in ${groups.length} groups. Read every group.\n\n${parts.join("\n\n")}`;
  await writeFile(path.join(folder, "MAP.md"), `${map}\n`);
  return map;
}

function formatFile({ status, path: file, lines }: ChangedLines): string {
  return `${status} ${file} (${lines === null ? "binary, no patch: see tree/" : `${lines} lines`})`;
}
