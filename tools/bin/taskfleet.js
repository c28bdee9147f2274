#!/usr/bin/env node
// Runs the built command. Whatever Node.js a shell finds first, the command runs on one that is new
// enough: the project carries its own for machines whose `node` is older.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const main = new URL("../../dist/cli/main.js", import.meta.url);
const carried = fileURLToPath(new URL("../../node_modules/.bin/node", import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isNewEnough = major > 22 || (major === 22 && minor >= 20);

if (!existsSync(main)) {
  console.error("taskfleet is not built yet: run `npm run build`");
  process.exitCode = 2;
} else if (isNewEnough || !existsSync(carried)) {
  await import(main.href);
} else {
  const result = spawnSync(carried, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: "inherit" });
  process.exitCode = result.status ?? 1;
}
