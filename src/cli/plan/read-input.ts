import { createReadStream } from "node:fs";
import type { Terminal } from "../terminal.ts";

export type Input = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly reason: string };

/**
 * Reads a file, or standard input for `-`, but never much more than `maxBytes`: the bytes of a
 * larger one end somewhere above the limit, enough for the size to be refused.
 */
export async function readInput(terminal: Terminal, file: string, maxBytes: number): Promise<Input> {
  if (file === "-") {
    if (readOnce.has(terminal.input)) return { ok: false, reason: "standard input can be read only once" };
    readOnce.add(terminal.input);
  }
  const stream: AsyncIterable<Uint8Array> = file === "-" ? terminal.input : createReadStream(file);
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of stream) {
      parts.push(part);
      size += part.byteLength;
      if (size > maxBytes) break;
    }
  } catch (error) {
    return { ok: false, reason: describeReadError(error) };
  }
  return { ok: true, bytes: Buffer.concat(parts) };
}

/** What nothing is left of. */
const readOnce = new WeakSet<Terminal["input"]>();

function describeReadError(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unknown error";
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
