/** Report files that commands write into the checkout: removed before, read after, never followed out of it. */
import { constants } from "node:fs";
import { glob, open, realpath, rm } from "node:fs/promises";
import path from "node:path";

/** Reports above this are no evidence; the App could not take them either. */
export const MAX_REPORT_BYTES = 64 * 1024 * 1024;

export type ReportText = { readonly text: string } | { readonly problem: string };

/** Removes what an earlier run (or the commit itself) left at the report's place. */
export async function removeReports(root: string, pattern: string): Promise<void> {
  for (const file of await listReports(root, pattern))
    if (await liesWithin(root, file)) await rm(path.join(root, file), { force: true, recursive: true });
}

/** The texts of all files of a report, in order of their names; a single problem when there is none. */
export async function readReports(root: string, pattern: string): Promise<readonly ReportText[]> {
  const files = await listReports(root, pattern);
  if (files.length === 0) return [{ problem: `the report ${pattern} was not written` }];
  const texts: ReportText[] = [];
  let left = MAX_REPORT_BYTES;
  for (const file of files) {
    const found = await readReport(root, file, left);
    if ("text" in found) left -= found.text.length;
    texts.push(found);
  }
  return texts;
}

async function listReports(root: string, pattern: string): Promise<readonly string[]> {
  if (!/[*?{[]/u.test(pattern)) return (await exists(path.join(root, pattern))) ? [pattern] : [];
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: root, exclude: (name) => name === "node_modules" || name === ".git" }))
    files.push(file);
  return files.sort();
}

async function exists(file: string): Promise<boolean> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    await handle.close();
    return true;
  } catch (error) {
    // A link in the report's place is there, too: it is removed before, and refused after.
    return (error as NodeJS.ErrnoException).code === "ELOOP";
  }
}

/** A folder on the way may be a link, or be gone: it was a report, too, and has just been removed. */
async function liesWithin(root: string, file: string): Promise<boolean> {
  const home = await realpath(root);
  const folder = await realpath(path.dirname(path.join(root, file))).catch(() => null);
  if (folder === null) return false;
  return folder === home || folder.startsWith(`${home}${path.sep}`);
}

/** The code under test may have put a link, a pipe or a device there. */
async function readReport(root: string, file: string, limit: number): Promise<ReportText> {
  const full = path.join(root, file);
  try {
    if (!(await liesWithin(root, file))) return { problem: `the report ${file} lies outside of the checkout` };
    const handle = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) return { problem: `the report ${file} is no plain file` };
      if (facts.size > limit) return { problem: `the report ${file} has ${facts.size} bytes: too large` };
      return { text: await handle.readFile("utf8") };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return {
      problem: `the report ${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}`,
    };
  }
}
