import { readFile } from "node:fs/promises";

/**
 * - default: a feature of six chunks that gets merged;
 * - escalate: one of its wishes contradicts a test, so no agent can build it;
 * - replan: a person asks for more while it is being built.
 */
export type Scenario = "default" | "escalate" | "replan";
export const SCENARIOS: readonly Scenario[] = ["default", "escalate", "replan"];

export interface SampleIssue {
  readonly title: string;
  readonly body: string;
}

/** The issue that starts a scenario. Nothing else tells the scenarios apart: agents read the issue. */
export async function loadSampleIssue(scenario: Scenario): Promise<SampleIssue> {
  const text = await readFile(new URL(`./issues/${scenario}.md`, import.meta.url), "utf8");
  const end = text.indexOf("\n");
  return { title: text.slice(0, end).replace(/^#\s*/u, ""), body: text.slice(end).trim() };
}
