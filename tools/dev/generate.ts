/**
 * `npm run generate [-- --check]`: writes the files that are derived from code. With `--check`
 * nothing is written and a file that differs fails the command.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { generatedFiles } from "./generated-files.ts";

const check = process.argv.includes("--check");
let stale = 0;
for (const { path, text } of await generatedFiles()) {
  let current: string | null = null;
  try {
    current = readFileSync(path, "utf8");
  } catch {
    current = null;
  }
  if (current === text) continue;
  stale += 1;
  if (check) console.error(`${path} is not what the code generates: run \`npm run generate\``);
  else writeFileSync(path, text);
}
if (check && stale > 0) process.exit(1);
