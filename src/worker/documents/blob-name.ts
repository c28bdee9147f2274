import { createHash } from "node:crypto";

/** The name git gives to these bytes as a blob, in the hash the repository uses. */
export function formatBlobName(bytes: Uint8Array, length: number): string {
  const hash = createHash(length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
