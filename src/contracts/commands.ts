/**
 * Commands in comments: a line of its own that begins with `/name`. Quotes, code, HTML and lists are
 * not commands: people quote commands when they talk about them.
 */
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
    const match = open.has(index) ? COMMAND_LINE.exec(line) : null;
    if (match === null) {
      const last = found.at(-1);
      // What follows a `/replan` belongs to it, whatever it is.
      if (last?.name === "replan") last.lines.push(line);
      continue;
    }
    const [, written = "", rest = ""] = match;
    const name = COMMAND_NAMES.find((candidate) => candidate === written.toLowerCase());
    found.push({ name: name ?? "unknown", written: name === "replan" ? name : written, lines: [rest] });
  }
  const commands = found.map(({ name, written, lines: said }) => ({ name, written, args: said.join("\n").trim() }));
  // A path such as /usr/bin at a line's start is no command that anybody meant.
  return commands.some((command) => command.name !== "unknown") ? commands : commands.filter(isLikelyTypo);
}

/** An unknown word is answered only when it stands alone, as a mistyped command would. */
function isLikelyTypo(command: ParsedCommand): boolean {
  return COMMAND_NAMES.some((name) => isNear(name, command.written.toLowerCase()));
}

function isNear(name: string, written: string): boolean {
  if (Math.abs(name.length - written.length) > 1) return false;
  let differences = 0;
  for (let index = 0; index < Math.max(name.length, written.length); index += 1)
    if (name[index] !== written[index]) differences += 1;
  return differences <= 2 && name[0] === written[0];
}
