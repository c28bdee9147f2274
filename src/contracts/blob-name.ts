import { createHash } from "node:crypto";
import type { Sha } from "./ids.ts";

/** The name git gives a file's content in a SHA-1 repository. @param text UTF-8 text or bytes. */
export function formatBlobName(text: string | Uint8Array): Sha {
  return hashBlob(typeof text === "string" ? Buffer.from(text, "utf8") : text, "sha1");
}

/** Whether git gives the bytes this name, in a repository of either hash. */
export function isBlobName(name: string, bytes: Uint8Array): boolean {
  return hashBlob(bytes, name.length === 64 ? "sha256" : "sha1") === name;
}

function hashBlob(bytes: Uint8Array, hash: "sha1" | "sha256"): Sha {
  return createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest("hex") as Sha;
}
