/** `npm run build`: compiles the package into dist/ and bundles the worker's action. */
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { bundleWorker, WORKER_BUNDLE } from "./bundle-worker.ts";

rmSync("dist", { recursive: true, force: true });
const result = spawnSync("npx", ["tsc", "--project", "tsconfig.build.json"], { stdio: "inherit" });
if (result.status !== 0) process.exit(result.status ?? 1);
// What the program reads beside its code.
for (const folder of ["cli/init/templates", "sandbox/sample/files", "sandbox/sample/issues", "worker/workflow"])
  cpSync(`src/${folder}`, `dist/${folder}`, { recursive: true });
const bytes = await bundleWorker(process.cwd());
console.log(`${WORKER_BUNDLE}: ${Math.round(bytes / 1024)} KiB`);
