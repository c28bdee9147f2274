import { type Command, InvalidArgumentError, Option } from "commander";
import { isLintRule } from "../../plan/lint/lint-rules.ts";
import type { SetExitCode } from "../command-registry.ts";
import type { Terminal } from "../terminal.ts";
import { documentKinds } from "./document.ts";
import type { ExamineOptions } from "./examine.ts";
import type { CompileOptions } from "./run-compile.ts";
import type { DiffOptions } from "./run-diff.ts";

const files = "files to look at; `-` is standard input";

/** `taskfleet plan …`. The code of each subcommand is loaded when it is called. */
export function addCommand(program: Command, setExitCode: SetExitCode, terminal: Terminal): void {
  const plan = program
    .command("plan")
    .description("validate, lint, draw, compare and compile plans")
    .helpCommand(false);

  addFileCommand(plan, "validate", "say whether each file is a valid plan or execution plan, and what is wrong").action(
    async (names: string[], options: ExamineOptions & { json?: boolean }) =>
      setExitCode(
        await (await import("./run-validate.ts")).runValidate(terminal, names, options, { warnings: "counted" }),
      ),
  );
  addFileCommand(plan, "lint", "validate, and show what could be better")
    .option("--deny <rule>", "make a rule's warnings errors; `all` for every rule; repeatable", collectRule, [])
    .action(async (names: string[], options: ExamineOptions & { json?: boolean }) =>
      setExitCode(
        await (await import("./run-validate.ts")).runValidate(terminal, names, options, { warnings: "shown" }),
      ),
    );
  addFileCommand(plan, "render", "print the plan as Markdown for people")
    .option("--draft <file>", "the planner's draft, for goal, requirements, decisions and the other sections")
    .action(async (names: string[], options: ExamineOptions & { json?: boolean; draft?: string }) =>
      setExitCode(await (await import("./run-render.ts")).runRender(terminal, names, options)),
    );
  addFileCommand(plan, "graph", "draw the DAG in the terminal")
    .option("--mermaid", "print Mermaid text instead")
    .action(async (names: string[], options: ExamineOptions & { json?: boolean; mermaid?: boolean }) =>
      setExitCode(await (await import("./run-graph.ts")).runGraph(terminal, names, options)),
    );
  addFileCommand(plan, "order", "print the ids in an order that respects the deps")
    .option("--stages", "one line for each set of chunks that wait for no other of the set")
    .action(async (names: string[], options: ExamineOptions & { json?: boolean; stages?: boolean }) =>
      setExitCode(await (await import("./run-order.ts")).runOrder(terminal, names, options)),
    );
  addFileCommand(plan, "compile", "print the execution plan of each plan")
    .option("--run-id <id>", "YYYY-MM-DD-NNN", "1970-01-01-001")
    .option("--task <text>", "what was asked for; the feature's name when absent")
    .option("--config <file>", "a .github/taskfleet.yml with the registry of agents")
    .option("--draft <file>", "the planner's draft, for the task brief, assignments and checkpoints")
    .option("--markdown", "print it as a table instead")
    .action(async (names: string[], options: ExamineOptions & CompileOptions) =>
      setExitCode(await (await import("./run-compile.ts")).runCompile(terminal, names, options)),
    );
  addCommonOptions(plan.command("diff"))
    .description("say what a revision means for the chunks of the old one")
    .argument("<old>", "the old revision; `-` is standard input")
    .argument("<new>", "the new revision")
    .option("--landed <ids>", "comma-separated ids of the chunks that have landed", (text: string) =>
      text.split(",").filter((id) => id !== ""),
    )
    .option("--markdown", "print Markdown, as on GitHub")
    .action(async (old: string, next: string, options: ExamineOptions & DiffOptions) =>
      setExitCode(await (await import("./run-diff.ts")).runDiff(terminal, old, next, options)),
    );
}

function addFileCommand(plan: Command, name: string, description: string): Command {
  return addCommonOptions(plan.command(name)).description(description).argument("<files...>", files);
}

function addCommonOptions(command: Command): Command {
  return command
    .option("--json", "print one JSON object for each file")
    .addOption(new Option("--kind <kind>", "what the files are, instead of finding out").choices([...documentKinds]))
    .option("--max-bytes <number>", "largest file that is read; 4194304 when absent", parseBytes);
}

function parseBytes(text: string): number {
  const bytes = Number(text);
  if (!Number.isSafeInteger(bytes) || bytes < 1) throw new InvalidArgumentError("a whole number of bytes, at least 1");
  return bytes;
}

function collectRule(rule: string, rules: readonly string[]): readonly string[] {
  if (rule !== "all" && !isLintRule(rule))
    throw new InvalidArgumentError(`no lint rule is named ${JSON.stringify(rule)}`);
  return [...rules, rule];
}
