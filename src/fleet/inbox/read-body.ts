import type { IncomingMessage } from "node:http";
import type { BodyShare } from "./body-budget.ts";

export type ReadBody =
  | { readonly outcome: "read"; readonly body: Buffer }
  | { readonly outcome: "too large" }
  | { readonly outcome: "too slow" }
  /** The sender is gone. */
  | { readonly outcome: "aborted" };

export interface BodyLimits {
  readonly bytes: number;
  readonly ms: number;
}

/** Reads a body as far as there is room for it; what does not fit waits in its socket. */
export async function readBody(request: IncomingMessage, share: BodyShare, limits: BodyLimits): Promise<ReadBody> {
  // Who announces too much need not send it; who announces nothing is counted below.
  if (Number(request.headers["content-length"] ?? 0) > limits.bytes) return { outcome: "too large" };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ReadBody>((resolve) => {
    timer = setTimeout(() => {
      share.close();
      resolve({ outcome: "too slow" });
    }, limits.ms);
  });
  try {
    return await Promise.race([collect(request, share, limits.bytes), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function collect(request: IncomingMessage, share: BodyShare, most: number): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // The answer goes the same way: leaving the loop must not close the connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength;
      if (length > most) return { outcome: "too large" };
      if (!(await share.grow(chunk.byteLength))) return { outcome: "aborted" };
      chunks.push(chunk);
    }
  } catch {
    return { outcome: "aborted" };
  }
  return request.complete ? { outcome: "read", body: Buffer.concat(chunks, length) } : { outcome: "aborted" };
}
