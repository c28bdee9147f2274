import { createHash } from "node:crypto";
import type { Sha } from "./ids.ts";

/** The name git gives a file's content in a SHA-1 repository. @param text UTF-8 text or bytes. */
export function formatBlobName(text: string | Uint8Array): Sha {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex") as Sha;
}
