/** The files derived from code, each with the text it must have. */
import { formatGitHubBehaviour } from "./github-behaviour.ts";
import { formatPromptModule } from "./prompt-texts.ts";
import { listSchemaFiles } from "./schema-texts.ts";
import { formatStateChart } from "./state-chart.ts";

export interface GeneratedFile {
  /** Repository-relative path. */
  readonly path: string;
  readonly text: string;
}

export async function generatedFiles(): Promise<readonly GeneratedFile[]> {
  return [
    { path: "src/worker/prompts/prompt-texts.ts", text: formatPromptModule(".") },
    ...listSchemaFiles(),
    { path: "docs/state-chart.md", text: formatStateChart() },
    { path: "docs/github-behaviour.md", text: formatGitHubBehaviour() },
  ];
}
