/** Loads every module: a syntax error or an import that does not exist fails here. */
import { readdir } from "node:fs/promises";

const folder = new URL("../src/", import.meta.url);
let failed = 0;
for (const name of (await readdir(folder)).filter((file) => file.endsWith(".js"))) {
  try {
    await import(new URL(name, folder));
  } catch (error) {
    failed += 1;
    console.error(`src/${name}: ${error.message}`);
  }
}
if (failed > 0) process.exit(1);
