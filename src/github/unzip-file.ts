import { crc32 } from "node:zlib";
import yauzl from "yauzl";

export type Unzipped = { readonly bytes: Buffer } | { readonly refused: string };

/**
 * The one file of a zip. The zip comes from a job that ran somebody else's code, so nothing it says
 * about itself is believed: unpacking stops at `maxBytes` whatever size it announces. That bound is
 * what stops a zip bomb; a bound on the ratio besides would refuse honest repetitive reports.
 */
export async function unzipFile(zip: Buffer, file: string, maxBytes: number): Promise<Unzipped> {
  try {
    const archive = await yauzl.fromBufferPromise(zip, { lazyEntries: true, strictFileNames: true });
    if (archive.entryCount !== 1) return { refused: `it holds ${archive.entryCount} files instead of one` };
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName !== file) return { refused: `it does not hold ${file}` };
      if (!entry.canDecodeFileData()) return { refused: "it is encrypted or packed in an unknown way" };
      if (entry.uncompressedSize > maxBytes) return { refused: `it unpacks to more than ${maxBytes} bytes` };
      const unpacked = await readEntry(await archive.openReadStreamPromise(entry), maxBytes);
      if ("bytes" in unpacked && crc32(unpacked.bytes) !== entry.crc32) return { refused: "its checksum is wrong" };
      return unpacked;
    }
    return { refused: "it is empty" };
  } catch (error) {
    return { refused: `it is no sound zip (${error instanceof Error ? error.message.slice(0, 200) : "?"})` };
  }
}

async function readEntry(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Unzipped> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) return { refused: `it unpacks to more than ${maxBytes} bytes` };
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks) };
}
