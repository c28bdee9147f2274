/** How each program's tools are called, by their names. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { ChangeSet } from "../../src/contracts/change-set.ts";

export interface ToolCall {
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
}

type Entry = ChangeSet["entries"][number];

/** @param folder the program's working directory, where its prompt tells it. */
export function writeFileCall(tools: ReadonlySet<string>, entry: Entry, folder: string | null): ToolCall {
  // Programs refuse to overwrite what they have not read, so only tests, which are new, go this way.
  if (entry.kind === "write" && entry.encoding === "utf-8" && folder !== null && isNew(entry.path)) {
    const file = path.join(folder, entry.path);
    if (tools.has("Write")) return build("Write", { file_path: file, content: entry.content });
    if (tools.has("write")) return build("write", { filePath: file, content: entry.content });
    if (tools.has("write_file")) return build("write_file", { file_path: file, content: entry.content });
    // It makes no file anew that a former attempt left.
    if (tools.has("create") && !existsSync(file)) return build("create", { path: file, file_text: entry.content });
  }
  return shellCall(tools, entry.kind === "delete" ? `rm -f '${entry.path}'` : buildWriting(entry));
}

/** Something to look at, as a reviewer would; null where the program's way is not known. */
export function readFileCall(tools: ReadonlySet<string>, file: string | null): ToolCall | null {
  if (file !== null && tools.has("Read")) return build("Read", { file_path: file });
  if (file !== null && tools.has("read")) return build("read", { filePath: file });
  if (file !== null && tools.has("read_file")) return build("read_file", { file_path: file });
  if (file !== null && tools.has("view")) return build("view", { path: file });
  return tools.has("exec_command") || tools.has("shell") ? shellCall(tools, "head -c 300 tree/README.md") : null;
}

export function shellCall(tools: ReadonlySet<string>, command: string): ToolCall {
  const description = "Work on the files";
  if (tools.has("Bash")) return build("Bash", { command, description });
  if (tools.has("bash")) return build("bash", { command, description });
  if (tools.has("exec_command")) return build("exec_command", { cmd: command });
  if (tools.has("shell")) return build("shell", { command: ["bash", "-c", command] });
  if (tools.has("shell_command")) return build("shell_command", { command });
  if (tools.has("run_shell_command")) return build("run_shell_command", { command, description });
  throw new Error(`no tool to run a command among ${[...tools].join(", ")}`);
}

function buildWriting(entry: Extract<Entry, { kind: "write" }>): string {
  const bytes = entry.encoding === "utf-8" ? Buffer.from(entry.content) : Buffer.from(entry.content, "base64");
  const folder = path.posix.dirname(entry.path);
  return `mkdir -p '${folder}' && printf %s '${bytes.toString("base64")}' | base64 -d > '${entry.path}'`;
}

function isNew(file: string): boolean {
  return /^test\/(?!cli\.|table\.|money\.|store\.|ledger\.)/u.test(file);
}

function build(name: string, values: Readonly<Record<string, unknown>>): ToolCall {
  return { name, arguments: JSON.stringify(values) };
}
