import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** `hashFiles`: SHA-256 over the files' SHA-256 digests; empty for no files. */
export function hashFiles(files: readonly string[]): string {
  if (files.length === 0) return "";
  const total = createHash("sha256");
  for (const file of files) total.update(createHash("sha256").update(readFileSync(file)).digest());
  return total.digest("hex");
}
