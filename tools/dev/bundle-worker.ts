/**
 * Bundles the worker into the action users' workflows run. The same sources give the same bytes: no
 * times, no absolute paths, no minifier.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { build, stop } from "esbuild";

/** Repository-relative. */
export const WORKER_BUNDLE = ".github/actions/worker/dist/index.js";

/** @param root the checkout. @returns the bundle's size in bytes. */
export async function bundleWorker(root: string): Promise<number> {
  const contents = await buildWorkerBundle(root);
  const target = path.join(root, WORKER_BUNDLE);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, contents);
  // The bundle is a module wherever the folder is copied to.
  await writeFile(path.join(path.dirname(target), "package.json"), '{ "type": "module" }\n');
  return contents.length;
}

/** The bundle's bytes; nothing is written. */
export async function buildWorkerBundle(root: string): Promise<Uint8Array> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: ["src/worker/main.ts"],
    outfile: WORKER_BUNDLE,
    bundle: true,
    write: false,
    platform: "node",
    // The action says `using: node24`.
    target: "node24",
    format: "esm",
    charset: "utf8",
    legalComments: "inline",
    logLevel: "warning",
    // Libraries in CommonJS call `require` for Node's own modules.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  // Its service process would outlive the caller's work.
  await stop();
  const [file] = result.outputFiles;
  if (file === undefined) throw new Error("esbuild gave no bundle");
  return file.contents;
}
