import { Command, CommanderError } from "commander";
import { type CommandEntry, commandRegistry } from "./command-registry.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Runs one command line.
 * @param args without the program's name
 * @returns the exit code; 2 for a command line that is not understood
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = new Command("taskfleet")
    .description("Turns a labeled issue into verified, adversarially reviewed, merged work.")
    .helpCommand(false)
    .showHelpAfterError("(add --help for the way to call it)")
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError })
    .exitOverride();
  const wanted = commandRegistry.find(({ name, alias }) => name === args[0] || alias === args[0]);
  if (wanted === undefined) for (const entry of commandRegistry) addSummary(program, entry);
  else {
    const module = await wanted.load();
    const setExitCode = (code: number): void => {
      exitCode = Math.max(exitCode, code);
    };
    module.addCommand(program, setExitCode, terminal);
  }
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // commander ends `--help` with 0, and everything it does not understand with 1.
    return error.exitCode === 0 ? 0 : 2;
  }
  return exitCode;
}

function addSummary(program: Command, { name, alias, summary }: CommandEntry): void {
  program.command(alias === undefined ? name : `${name}|${alias}`).description(summary);
}
