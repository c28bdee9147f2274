import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/** A zip with these files. */
export async function makeZip(files: Readonly<Record<string, Buffer | string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name, { compress: true });
  zip.end();
  return buffer(zip.outputStream);
}

/** The same zip, whose directory announces another unpacked size for its only file. */
export function announceSize(zip: Buffer, size: number): Buffer {
  const lying = Buffer.from(zip);
  // Central directory header: signature "PK\x01\x02", unpacked size at 24.
  lying.writeUInt32LE(size, lying.indexOf(Buffer.from("PK\u0001\u0002", "latin1")) + 24);
  return lying;
}

/** The same zip, whose only file has another name of the same length. */
export function renameEntry(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");
}
