import { createHash } from "node:crypto";
import { parseSha, type ChunkId, type Sha } from "../../src/contracts/ids.ts";

/** A git object id that is the same for the same label. */
export function fakeSha(label: string): Sha {
  return parseSha(createHash("sha1").update(label).digest("hex"));
}

export function fakeHash(label: string): string {
  return createHash("sha256").update(label).digest("hex");
}

/** A chunk's id, for tests that write ids as literals. */
export function chunkId(id: string): ChunkId {
  return id as ChunkId;
}
