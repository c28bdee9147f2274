import { cp, rename } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const files = fileURLToPath(new URL("./files", import.meta.url));

/**
 * Writes the sample repository's files (tally, a small ledger with its tests, its CI and its agents)
 * into a folder, without Taskfleet's workflow file: whoever copies the sample adds the one that is shipped.
 */
export async function copySample(folder: string): Promise<void> {
  await cp(files, folder, { recursive: true });
  // Stored under another name: npm leaves files called .gitignore out of packages.
  await rename(path.join(folder, "_gitignore"), path.join(folder, ".gitignore"));
}
