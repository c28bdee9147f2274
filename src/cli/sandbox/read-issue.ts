import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { UserError } from "../../contracts/errors.ts";

export interface LocalIssue {
  readonly title: string;
  readonly body: string;
}

/** @throws UserError when the file cannot be read or has no title. */
export async function readIssue(file: string, input: AsyncIterable<Uint8Array>): Promise<LocalIssue> {
  const text = file === "-" ? (await buffer(input)).toString("utf8") : await loadText(file);
  return parseIssue(text);
}

/** The first line that is not blank is the title, with or without a `#`. */
export function parseIssue(text: string): LocalIssue {
  const lines = text.replace(/^\uFEFF/u, "").split(/\r?\n/u);
  const at = lines.findIndex((line) => line.trim() !== "");
  const title = (lines[at] ?? "").replace(/^#+\s+/u, "").trim();
  if (title === "") throw new UserError("The issue has no title: write it on its first line.");
  return {
    title: title.slice(0, 256),
    body: lines
      .slice(at + 1)
      .join("\n")
      .trim(),
  };
}

async function loadText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${error instanceof Error ? error.message : "unknown failure"}`);
  }
}
