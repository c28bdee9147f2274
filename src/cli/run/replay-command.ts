import { UserError } from "../../contracts/errors.ts";
import { DEFAULT_STALE_READ_MS } from "../../fleet/serve-settings.ts";
import type { CommandModule } from "../command-registry.ts";
import { readInput } from "../plan/read-input.ts";
import type { Terminal } from "../terminal.ts";
import { formatTerminalLine } from "../terminal-text.ts";
import { type ReplayStep, replayRun } from "./replay-run.ts";
import { parseRunFile, type RunFile } from "./run-file.ts";

interface ReplayOptions {
  readonly json?: boolean;
  readonly staleReadMs?: string;
}

/** `taskfleet replay <file>`: exit code 1 when something was done that this code would not do. */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode, terminal) => {
  program
    .command("replay")
    .description("fold an exported run again and print every decision")
    .argument("<file>", "what `export` printed, or - for standard input")
    .option("--json", "one JSON object for each fact")
    .option("--stale-read-ms <ms>", "the App's TASKFLEET_STALE_READ_MS, for a file that does not say it")
    .action(async (file: string, options: ReplayOptions) => {
      try {
        const { facts, timing } = await loadRunFile(terminal, file);
        const staleReadMs = readStaleReadMs(options) ?? timing?.staleReadMs ?? DEFAULT_STALE_READ_MS;
        const { steps, differences, unfinished } = replayRun(facts, { staleReadMs });
        for (const step of steps) terminal.write(options.json === true ? `${JSON.stringify(step)}\n` : format(step));
        for (const effect of unfinished)
          terminal.writeError(`${formatTerminalLine(effect)} was begun, and nothing says how it ended\n`);
        for (const difference of differences) terminal.writeError(`${formatTerminalLine(difference)}\n`);
        if (differences.length > 0) setExitCode(1);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        terminal.writeError(`${formatTerminalLine(error.message)}\n`);
        setExitCode(2);
      }
    });
};

async function loadRunFile(terminal: Terminal, file: string): Promise<RunFile> {
  const input = await readInput(terminal, file, Number.POSITIVE_INFINITY);
  if (!input.ok) throw new UserError(`${file}: ${input.reason}.`);
  try {
    return parseRunFile(Buffer.from(input.bytes).toString("utf8"));
  } catch (error) {
    throw error instanceof UserError ? new UserError(`${file}: ${error.message}`) : error;
  }
}

function readStaleReadMs({ staleReadMs }: ReplayOptions): number | null {
  if (staleReadMs === undefined) return null;
  if (!/^[0-9]{1,12}$/u.test(staleReadMs)) throw new UserError("--stale-read-ms: a number of milliseconds is wanted.");
  return Number(staleReadMs);
}

function format({ seq, at, fact, actions }: ReplayStep): string {
  const lines = [
    `${seq} ${formatTime(at)} ${fact}`,
    ...actions.map((action) => `    ${action.kind}: ${action.reason} [${action.key}]`),
  ];
  return `${lines.map(formatTerminalLine).join("\n")}\n`;
}

function formatTime(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? `${at}` : time.toISOString();
}
