#!/usr/bin/env node
/**
 * `taskfleet`. Knows the names of its commands; the code of a command is loaded when it is called,
 * so that checking a plan does not load the App.
 */
import { runCli } from "./run-cli.ts";

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
process.exitCode = await runCli(process.argv.slice(2));
