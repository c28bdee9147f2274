#!/usr/bin/env node
/**
 * `taskfleet`. Knows the names of its commands; the code of a command is loaded when it is called,
 * so that checking a plan does not load the App.
 */
import { runCli } from "./run-cli.ts";
import { openTerminal } from "./terminal.ts";

process.exitCode = await runCli(process.argv.slice(2), openTerminal());
