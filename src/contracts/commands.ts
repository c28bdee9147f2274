/**
 * Commands in comments: a line of its own that begins with `/name`. Quotes, code, HTML and lists are
 * not commands: people quote commands when they talk about them.
 */
import { fromMarkdown } from "mdast-util-from-markdown";

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

export function parseCommands(body: string): readonly ParsedCommand[] {
  if (body.length > MAX_LENGTH || !body.includes("/")) return [];
  const text = body.replaceAll("\r\n", "\n");
  const commands: ParsedCommand[] = [];
  let open: { name: CommandName; lines: string[] } | null = null;
  const close = (): void => {
    if (open !== null) commands.push({ name: open.name, written: open.name, args: open.lines.join("\n").trim() });
    open = null;
  };
  for (const node of fromMarkdown(text).children) {
    const source = text.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
    if (node.type !== "paragraph") {
      // What follows a `/replan` belongs to it, whatever it is.
      (open as { lines: string[] } | null)?.lines.push("", source);
      continue;
    }
    (open as { lines: string[] } | null)?.lines.push("");
    const hidden = listHiddenLines(node, source, text);
    source.split("\n").forEach((line, index) => {
      const match = hidden.has(index) ? null : /^ {0,3}\/([A-Za-z][A-Za-z-]*)(?:[ \t]+(.*))?$/u.exec(line);
      if (match === null) {
        (open as { lines: string[] } | null)?.lines.push(line);
        return;
      }
      const written = match[1] ?? "";
      const name = COMMAND_NAMES.find((candidate) => candidate === written.toLowerCase());
      const rest = (match[2] ?? "").trim();
      close();
      if (name === "replan") open = { name, lines: [rest] };
      else commands.push({ name: name ?? "unknown", written, args: rest });
    });
  }
  close();
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

/** Lines of a paragraph that lie inside inline code or HTML that spans lines. */
function listHiddenLines(
  paragraph: {
    readonly children: ReadonlyArray<{
      readonly type: string;
      readonly position?:
        | { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
        | undefined;
    }>;
    readonly position?: { readonly start: { readonly line: number } } | undefined;
  },
  _source: string,
  _text: string,
): ReadonlySet<number> {
  const hidden = new Set<number>();
  const first = paragraph.position?.start.line ?? 1;
  for (const child of paragraph.children) {
    if (child.type !== "inlineCode" && child.type !== "html") continue;
    const start = child.position?.start.line ?? first;
    const end = child.position?.end.line ?? start;
    for (let line = start + 1; line <= end; line += 1) hidden.add(line - first);
  }
  return hidden;
}
