/**
 * The prompts as a module: a bundle, a compiled package, type stripping and Jest all load them alike,
 * while people edit Markdown files.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const folder = "src/worker/prompts";

/** @returns the text of src/worker/prompts/prompt-texts.ts. */
export function formatPromptModule(root: string): string {
  const names = readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith(".md"))
    .sort();
  const entries = names.map((file) => {
    const text = readFileSync(path.join(root, folder, file), "utf8").replaceAll("\r\n", "\n");
    return `  ${JSON.stringify(file.slice(0, -".md".length))}: ${JSON.stringify(text)},`;
  });
  return [
    "/** Generated from the Markdown files beside it by `npm run generate`; do not edit. */",
    "// oxfmt-ignore",
    "export const PROMPT_TEXTS = {",
    ...entries,
    "} as const;",
    "",
  ].join("\n");
}
