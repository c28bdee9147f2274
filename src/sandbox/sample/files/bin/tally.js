#!/usr/bin/env node
import { run } from "../src/cli.js";

process.exitCode = await run(process.argv.slice(2), {
  write: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`tally: ${text}\n`),
});
