import { escapeHtmlText, escapeMarkdownText, formatCode, formatCodeBlock } from "../../contracts/markdown.ts";
import type { Check, Chunk } from "../../contracts/plan.ts";
import type { PlanNotes } from "./plan-notes.ts";

/** One chunk with all an implementer gets, as a section; folded under its title when asked. */
export function renderBlock(
  chunk: Chunk,
  number: number,
  numbers: ReadonlyMap<string, number>,
  notes: PlanNotes,
  folded: boolean,
): string {
  const body = renderBody(chunk, numbers, notes);
  if (!folded) return `### Block ${number}: ${escapeMarkdownText(chunk.title)}\n\n${body}`;
  return `<details><summary>Block ${number}: ${escapeHtmlText(chunk.title)}</summary>\n\n${body}\n\n</details>`;
}

function renderBody(chunk: Chunk, numbers: ReadonlyMap<string, number>, notes: PlanNotes): string {
  const deps = (chunk.deps ?? []).map((id) => `block ${numbers.get(id) ?? "?"} (${formatCode(id)})`);
  const agent = notes.assignments?.[chunk.id];
  const criteria = [...chunk.checks.map(renderCheck), ...(chunk.assertions ?? []).map(escapeMarkdownText)];
  return [
    `- **Chunk:** ${formatCode(chunk.id)}, tier ${chunk.tier}${chunk.requires_tests === true ? ", must add or change a test" : ""}`,
    ...(agent === undefined ? [] : [`- **Agent:** ${escapeMarkdownText(agent)}`]),
    `- **Depends on:** ${deps.length === 0 ? "none" : deps.join(", ")}`,
    `- **Files:** ${chunk.files_touched.map(formatCode).join(", ")}`,
    "- **Acceptance criteria:**",
    ...criteria.map((criterion) => `  - [ ] ${criterion}`),
    "- **Task:**",
    "",
    formatCodeBlock(chunk.brief, "text"),
  ].join("\n");
}

/** What a check proves and the command that proves it. */
export function renderCheck(check: Check): string {
  const where = check.cwd === undefined ? "" : ` in ${formatCode(check.cwd)}`;
  const expected = check.expect_exit ?? 0;
  return `${escapeMarkdownText(check.desc)}: ${formatCode(check.run)}${where}${expected === 0 ? "" : `, exits ${expected}`}`;
}
