/** `taskfleet sandbox`: the whole fleet on a clone of somebody's own repository, on this machine. */
import type { Command } from "commander";
import { UserError } from "../../contracts/errors.ts";
import { chooseAgent, LOCAL_AGENTS } from "../local-agent/choose-agent.ts";
import { NOT_ISOLATED } from "../local-agent/not-isolated.ts";
import type { SetExitCode } from "../command-registry.ts";
import type { Terminal } from "../terminal.ts";
import { readIssue } from "./read-issue.ts";
import { runSandbox } from "./run-sandbox.ts";

interface SandboxFlags {
  readonly repo: string;
  readonly agent: string;
  readonly model?: string;
  readonly issue?: string;
  readonly yes?: boolean;
}

export function addCommand(program: Command, setExitCode: SetExitCode, terminal: Terminal): void {
  program
    .command("sandbox")
    .description("works on an issue in a clone of your repository, against a local GitHub; the result is a branch")
    .option("--repo <folder>", "a folder of your repository", ".")
    .requiredOption("--agent <name>", `an installed program with your key: ${LOCAL_AGENTS.join(", ")}`)
    .option("--model <name>", "its model, for all roles")
    .option("--issue <file>", "the issue as Markdown, its first line the title; `-` = standard input", "-")
    .option("--yes", "approve the plan without asking")
    .action(async (flags: SandboxFlags) => setExitCode(await runSandboxCommand(flags, terminal)));
}

/** @returns 0 when the work is done, 1 when people are needed or it failed, 2 when it could not begin, 130 interrupted. */
async function runSandboxCommand(flags: SandboxFlags, terminal: Terminal): Promise<number> {
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort(new Error("interrupted"));
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  try {
    const agent = chooseAgent(flags.agent, process.env, flags.model);
    terminal.writeError(`${NOT_ISOLATED}\n`);
    const issue = await readIssue(flags.issue ?? "-", terminal.input);
    const outcome = await runSandbox({
      repo: flags.repo,
      agent,
      issue,
      // Standard input was the issue: nobody is there to type commands.
      commands: flags.issue === "-" || flags.issue === undefined ? null : terminal.input,
      approval: flags.yes === true ? "given" : "asked",
      colour: terminal.isColoured ? "on" : "off",
      print: (line) => terminal.write(`${line}\n`),
      signal: interrupt.signal,
    });
    return outcome === "merged" ? 0 : 1;
  } catch (error) {
    if (interrupt.signal.aborted) return 130;
    if (!(error instanceof UserError)) throw error;
    terminal.writeError(`${error.message}\n`);
    return 2;
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
}
