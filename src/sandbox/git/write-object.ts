import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import type { GitRepository } from "./git-repository.ts";
import type { ObjectType } from "./object-reader.ts";

const compress = promisify(deflate);

/**
 * Writes a loose object the way git does and returns its SHA. A process for each blob of a big commit
 * would take most of a run's time.
 * https://git-scm.com/book/en/v2/Git-Internals-Git-Objects#_object_storage
 */
export async function writeObject(
  git: GitRepository,
  type: Exclude<ObjectType, "tag">,
  content: Uint8Array,
): Promise<string> {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.byteLength}\0`), content]);
  const sha = createHash("sha1").update(bytes).digest("hex");
  const folder = join(git.dir, "objects", sha.slice(0, 2));
  const file = join(folder, sha.slice(2));
  if (existsSync(file)) return sha;
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `tmp_obj_${randomUUID()}`);
  await writeFile(temporary, await compress(bytes), { mode: 0o444 });
  await rename(temporary, file);
  return sha;
}
