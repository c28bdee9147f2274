import { type Command, InvalidArgumentError } from "commander";
import { UserError } from "../../contracts/errors.ts";
import type { SetExitCode } from "../command-registry.ts";
import type { Terminal } from "../terminal.ts";
import type { CaptureOptions } from "./run-capture.ts";
import type { CompareOptions } from "./run-compare.ts";
import type { RunOptions } from "./run-floor.ts";

/** `taskfleet floor …`. The code of each subcommand is loaded when it is called. */
export function addCommand(program: Command, setExitCode: SetExitCode, terminal: Terminal): void {
  const floor = program
    .command("floor")
    .description("judge a local commit by the gates the App judges with")
    .helpCommand(false);
  /** 2: the question could not be asked. */
  const guard = async (action: () => Promise<number>): Promise<void> => {
    try {
      setExitCode(await action());
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      terminal.writeError(`${error.message}\n`);
      setExitCode(2);
    }
  };

  addScope(addRepository(floor.command("run")))
    .description("capture the base and the head, and compare them: the floor of a change")
    .requiredOption("--base <commit>", "what the change is measured against; where the head left it counts")
    .option("--head <commit>", "the commit to judge", "HEAD")
    .option("--json", "print the result as one JSON object")
    .action((options: RunOptions) => guard(async () => (await import("./run-floor.ts")).runFloor(terminal, options)));
  addScope(addRepository(floor.command("capture")))
    .description("run the configured commands on a commit and print what they gave, as JSON")
    .option("--head <commit>", "the commit to capture", "HEAD")
    .option("--reruns <number>", "further runs of the tests, to learn which fail by chance", parseCount, 0)
    .option("--out <file>", "write to a file instead of standard output")
    .action((options: CaptureOptions) =>
      guard(async () => (await import("./run-capture.ts")).runCapture(terminal, options)),
    );
  addScope(addRepository(floor.command("compare")))
    .description("compute the gates over captures that were gathered before")
    .requiredOption("--baseline <file>", "captures of the base")
    .requiredOption("--captures <file>", "captures of the head")
    .option("--json", "print the result as one JSON object")
    .action((options: CompareOptions) =>
      guard(async () => (await import("./run-compare.ts")).runCompare(terminal, options)),
    );
}

function addRepository(command: Command): Command {
  return command
    .option("--repo <folder>", "a folder of the repository", ".")
    .option("--config <file>", "a taskfleet.yml instead of the base commit's .github/taskfleet.yml");
}

function addScope(command: Command): Command {
  return command
    .option("--plan <file>", "a plan; with --chunk its scope and checks count")
    .option("--chunk <id>", "the chunk of the plan that is judged; the whole plan when absent");
}

function parseCount(text: string): number {
  if (!/^[0-9]$|^10$/u.test(text)) throw new InvalidArgumentError("a number from 0 to 10 is needed");
  return Number(text);
}
