import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import yauzl from "yauzl";
import yazl from "yazl";

/** Packs files under paths relative to `root`. Permissions are not kept, as in GitHub's artifacts. */
export async function zipFiles(files: readonly string[], root: string): Promise<Uint8Array> {
  const zip = new yazl.ZipFile();
  // A file that vanishes or cannot be read must fail the upload, not the process.
  const failed = new Promise<never>((_, reject) => zip.once("error", reject));
  for (const file of files) zip.addFile(file, path.relative(root, file), { mode: 0o100644 });
  zip.end();
  return await Promise.race([buffer(zip.outputStream), failed]);
}

/**
 * Unpacks an archive into a folder.
 * @returns the number of files
 * @throws when an entry's name leaves the folder (yauzl refuses `..` and absolute names)
 */
export async function unzipFiles(archive: Uint8Array, folder: string): Promise<number> {
  const zip = await yauzl.fromBufferPromise(Buffer.from(archive));
  let count = 0;
  await mkdir(folder, { recursive: true });
  for await (const entry of zip.eachEntry()) {
    const target = path.join(folder, entry.fileName);
    if (entry.fileName.endsWith("/")) {
      await mkdir(target, { recursive: true });
      continue;
    }
    await mkdir(path.dirname(target), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target));
    count += 1;
  }
  return count;
}
