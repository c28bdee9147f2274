import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runCli } from "../../src/cli/run-cli.ts";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line within this process, with a terminal that remembers. */
export async function runTaskfleet(
  args: readonly string[],
  input: string | Uint8Array = "",
  isColoured = false,
): Promise<Outcome> {
  let stdout = "";
  let stderr = "";
  const code = await runCli(args, {
    write: (text) => void (stdout += text),
    writeError: (text) => void (stderr += text),
    input: pour(input),
    isColoured,
  });
  return { code, stdout, stderr };
}

async function* pour(input: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  for (let offset = 0; offset < bytes.length; offset += 65_536) yield bytes.subarray(offset, offset + 65_536);
}

/** Runs a shell line in which `$TASKFLEET` is the command, from its source, as a process. */
export function runShell(line: string, cwd: string): Promise<string> {
  const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
  const env = { PATH: process.env["PATH"], TASKFLEET: `${process.execPath} ${main}` };
  return new Promise((resolve) => {
    execFile("sh", ["-c", line], { cwd, env }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}

export interface Folder {
  readonly path: string;
  readonly write: (name: string, content: string | object | Uint8Array) => Promise<void>;
  readonly remove: () => Promise<void>;
  /** Runs a command line whose file names mean this folder's files; its path is cut from the output. */
  readonly run: (...args: readonly string[]) => Promise<Outcome>;
}

/** A temporary folder for the files of a test. */
export async function createFolder(): Promise<Folder> {
  const folder = await mkdtemp(path.join(tmpdir(), "taskfleet-cli-"));
  const cut = (text: string): string => text.replaceAll(`${folder}/`, "");
  return {
    path: folder,
    write: async (name, content) => {
      const isText = typeof content === "string" || content instanceof Uint8Array;
      await writeFile(path.join(folder, name), isText ? content : JSON.stringify(content, null, 2));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
    run: async (...args) => {
      const outcome = await runTaskfleet(
        args.map((arg) => (/\.(?:json|yml)$/.test(arg) ? path.join(folder, arg) : arg)),
      );
      return { code: outcome.code, stdout: cut(outcome.stdout), stderr: cut(outcome.stderr) };
    },
  };
}
