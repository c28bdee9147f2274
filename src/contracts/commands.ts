/**
 * Commands in comments: a line of its own that begins with `/name`. Quotes, code, HTML and lists are
 * not commands: people quote commands when they talk about them.
 */
import { isMistyped } from "./commands/is-mistyped.ts";
import { listOpenLines } from "./commands/list-open-lines.ts";

export const COMMAND_NAMES = [
  "approve",
  "replan",
  "status",
  "cancel",
  "help",
  "retry",
  "skip",
  "take",
  "assign",
  "pause",
  "resume",
  "override",
] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

export interface ParsedCommand {
  readonly name: CommandName | "unknown";
  /** As it was written, when it is unknown. */
  readonly written: string;
  /** The rest of the line; for `/replan` also the lines that follow, up to the next command. */
  readonly args: string;
}

/** A comment longer than this holds no commands: GitHub's own limit is 65,536. */
const MAX_LENGTH = 70_000;

const COMMAND_LINE = /^ {0,3}\/([A-Za-z][A-Za-z-]*)(?:[ \t]+(.*))?$/u;

/** Whether a comment has a line that looks like a command, wherever it stands: most comments have none. */
export function mayHoldCommands(body: string): boolean {
  return body.length <= MAX_LENGTH && /^ {0,3}\/[A-Za-z]/mu.test(body);
}

export function parseCommands(body: string): readonly ParsedCommand[] {
  if (!mayHoldCommands(body)) return [];
  const lines = body.split(/\r\n?|\n/u);
  const open = listOpenLines(lines);
  const found: Array<{ readonly name: ParsedCommand["name"]; readonly written: string; readonly lines: string[] }> = [];
  for (const [index, line] of lines.entries()) {
    const [, written = "", rest = ""] = (open.has(index) ? COMMAND_LINE.exec(line) : null) ?? [];
    const name = COMMAND_NAMES.find((candidate) => candidate === written.toLowerCase());
    const last = found.at(-1);
    // What follows a `/replan` belongs to it, whatever it is, up to what was meant as a command.
    if (written === "" || (name === undefined && last?.name === "replan" && !isMistyped(written, COMMAND_NAMES))) {
      if (last?.name === "replan") last.lines.push(line);
      continue;
    }
    found.push({ name: name ?? "unknown", written: name === "replan" ? name : written, lines: [rest] });
  }
  const commands = found.map(({ name, written, lines: said }) => ({ name, written, args: said.join("\n").trim() }));
  // A word such as /usr at a line's start is no command that anybody meant, unless it stands among commands.
  if (commands.some((command) => command.name !== "unknown")) return commands;
  return commands.filter((command) => isMistyped(command.written, COMMAND_NAMES));
}
