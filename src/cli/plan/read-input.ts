import { createReadStream } from "node:fs";

export type Input = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly reason: string };

/**
 * Reads a file, or standard input for `-`, but never much more than `maxBytes`: the bytes of a
 * larger one end somewhere above the limit, enough for the size to be refused.
 */
export async function readInput(file: string, maxBytes: number): Promise<Input> {
  const stream = file === "-" ? process.stdin : createReadStream(file);
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.byteLength;
      if (size > maxBytes) break;
    }
  } catch (error) {
    return { ok: false, reason: describeReadError(error) };
  }
  return { ok: true, bytes: Buffer.concat(parts) };
}

function describeReadError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  switch (code) {
    case "ENOENT":
      return "there is no such file";
    case "EISDIR":
      return "this is a folder";
    case "EACCES":
    case "EPERM":
      return "it may not be read";
    default:
      return `it cannot be read (${code})`;
  }
}
