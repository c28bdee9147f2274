import { GitHubFailure } from "../contracts/errors.ts";

export type Downloaded = { readonly bytes: Buffer } | { readonly refused: string };

/** Fetches an address without any token of ours, and no more than so many bytes. */
export type Download = (url: string, maxBytes: number) => Promise<Downloaded>;

/** Storage is another company's host: it gets no token, and the address is signed, so it is in no message. */
export function createDownload(timeoutMs: number): Download {
  return async (url, maxBytes) => {
    try {
      const response = await globalThis.fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: "follow" });
      if (!response.ok) {
        await response.body?.cancel();
        throw new GitHubFailure("transient", `The artifact's storage answered ${response.status}.`, {
          status: response.status,
        });
      }
      return await readBounded(response, maxBytes);
    } catch (error) {
      if (error instanceof GitHubFailure) throw error;
      throw new GitHubFailure("transient", "The artifact's storage did not answer.");
    }
  };
}

async function readBounded(response: Response, maxBytes: number): Promise<Downloaded> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest of the download.
    if (size > maxBytes) return { refused: `it is larger than ${maxBytes} bytes` };
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks) };
}
