/** `npm run build`: compiles the package into dist/. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
const result = spawnSync("npx", ["tsc", "--project", "tsconfig.build.json"], { stdio: "inherit" });
process.exit(result.status ?? 1);
