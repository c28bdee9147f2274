import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = path.join(root, ".github/actions/worker");
const bundle = path.join(folder, "dist/index.js");
/** Rooms the worker may import from, and itself. */
const sources = ["src/contracts", "src/floor", "src/plan", "src/review", "src/worker"];

interface Bundler {
  readonly bundleWorker: (root: string) => Promise<number>;
}

/**
 * The folder of the worker's action with its bundle, which is built here when the sources of a checkout
 * are newer. A package holds the bundle and no sources.
 */
export async function prepareWorker(): Promise<string> {
  const built = await readTime(bundle);
  const changed = Math.max(...(await Promise.all(sources.map(findNewest))));
  if (built < changed) {
    // Of the checkout alone, and so not imported like the rest.
    const tool = new URL("../../../tools/dev/bundle-worker.ts", import.meta.url).href;
    const { bundleWorker } = (await import(tool)) as Bundler;
    await bundleWorker(root);
  } else if (built === 0) {
    throw new Error(`there is no worker at ${bundle}: run \`npm run build\``);
  }
  return folder;
}

/** When the newest file below a folder was written; 0 when there is none. */
async function findNewest(name: string): Promise<number> {
  const entries = await readdir(path.join(root, name), { recursive: true, withFileTypes: true }).catch(() => []);
  const times = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => await readTime(path.join(entry.parentPath, entry.name)));
  return Math.max(0, ...(await Promise.all(times)));
}

async function readTime(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.mtimeMs ?? 0;
}
