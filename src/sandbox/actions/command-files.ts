import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The files through which a step talks back: name of the variable, and of the file. */
const fileNames = {
  GITHUB_ENV: "set_env",
  GITHUB_OUTPUT: "set_output",
  GITHUB_PATH: "add_path",
  GITHUB_STATE: "save_state",
  GITHUB_STEP_SUMMARY: "step_summary",
} as const;

export type CommandFiles = Readonly<Record<keyof typeof fileNames, string>>;

/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits */
const maxSummaryBytes = 1024 * 1024;
const maxFileBytes = 10 * 1024 * 1024;

/** Creates a step's command files, empty. */
export function createCommandFiles(folder: string, stepKey: string): CommandFiles {
  const files = Object.entries(fileNames).map(([variable, name]) => {
    const file = path.join(folder, `${name}_${stepKey}`);
    writeFileSync(file, "");
    return [variable, file] as const;
  });
  return Object.fromEntries(files) as CommandFiles;
}

export interface CommandFileContents {
  readonly env: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  readonly path: readonly string[];
  readonly state: Readonly<Record<string, string>>;
  readonly summary: string;
}

/**
 * Reads what a step wrote.
 * @throws with GitHub's wording for a malformed file or a variable that may not be set
 */
export function readCommandFiles(files: CommandFiles): CommandFileContents {
  const env = parseCommandFile(readBounded(files.GITHUB_ENV, maxFileBytes));
  if (Object.hasOwn(env, "NODE_OPTIONS"))
    throw new Error("Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command.");
  return {
    env,
    outputs: parseCommandFile(readBounded(files.GITHUB_OUTPUT, maxFileBytes)),
    path: readBounded(files.GITHUB_PATH, maxFileBytes)
      .split(/\r?\n/)
      .filter((line) => line !== ""),
    state: parseCommandFile(readBounded(files.GITHUB_STATE, maxFileBytes)),
    summary: readBounded(files.GITHUB_STEP_SUMMARY, maxSummaryBytes),
  };
}

/** Parses `name=value` and `name<<DELIMITER … DELIMITER` lines. */
export function parseCommandFile(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const lines = text.split(/\r?\n/);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (line === "") continue;
    const equals = line.indexOf("=");
    const heredoc = line.indexOf("<<");
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`);
      values[line.slice(0, equals)] = line.slice(equals + 1);
    } else if (heredoc >= 0) {
      const name = line.slice(0, heredoc);
      const delimiter = line.slice(heredoc + 2);
      if (name === "" || delimiter === "")
        throw new Error(`Invalid format '${line}'. Name must not be empty and delimiter must not be empty`);
      const end = lines.indexOf(delimiter, index + 1);
      if (end === -1) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
      values[name] = lines.slice(index + 1, end).join("\n");
      index = end;
    } else throw new Error(`Invalid format '${line}'`);
  }
  return values;
}

function readBounded(file: string, maxBytes: number): string {
  let size: number;
  try {
    size = statSync(file).size;
  } catch {
    // The step removed its own file.
    return "";
  }
  if (size > maxBytes) throw new Error(`${path.basename(file)} is larger than ${maxBytes} bytes`);
  return readFileSync(file, "utf8");
}
