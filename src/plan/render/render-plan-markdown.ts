import { escapeMarkdownText, escapeTableCell, formatCode, formatTableCode } from "../../contracts/markdown.ts";
import type { Plan } from "../../contracts/plan.ts";
import { checklist } from "../checklist/checklist.ts";
import type { PlanNotes } from "./plan-notes.ts";
import { renderBlock, renderCheck } from "./render-block.ts";
import { renderExecutionPlan } from "./render-execution-plan.ts";
import { renderMermaid } from "./render-mermaid.ts";
import { renderAside, renderDocument, renderList, renderSection, renderTable } from "./sections.ts";

/** Blocks shown open; in longer plans each is folded under its title. */
const maxOpenBlocks = 12;

export interface RenderLimit {
  /** Longest text wanted, in UTF-16 code units. */
  readonly characters: number;
  /** Address of the whole plan, for what is left out. */
  readonly link: string;
}

/**
 * `plan.md`: the whole plan for people. Every text a planner wrote is escaped or fenced, so that it
 * neither changes the page nor notifies anybody. With a limit (a pull request's body) the least
 * important sections are replaced by a link until the rest fits.
 */
export function renderPlanMarkdown(plan: Plan, notes: PlanNotes = {}, limit?: RenderLimit): string {
  const sections = listSections(plan, notes);
  const filled = new Set(sections.filter(({ text }) => text !== null).map(({ title }) => title));
  const left = new Set<string>();
  for (const title of ["", ...expendable.filter((title) => filled.has(title))]) {
    left.add(title);
    const text = renderDocument(
      sections.map(({ title, text }) => (left.has(title) ? null : text)).concat(renderLeft(left, limit)),
    );
    if (limit === undefined || text.length <= limit.characters) return text;
  }
  const rest = `\n\n… The plan goes on in [plan.md](${limit!.link}).\n`;
  const head = renderDocument(sections.slice(0, 2).map(({ text }) => text));
  return `${head
    .slice(0, Math.max(0, limit!.characters - rest.length))
    .toWellFormed()
    .trimEnd()}${rest}`;
}

/** What a shortened plan goes without, first to last. */
const expendable = [
  "Execution blocks",
  "Pre-flight checklist",
  "Who builds it",
  "API contract",
  "User flows",
  "External dependencies",
  "Security considerations",
  "Warnings",
  "Overview",
  "Acceptance",
  "Task",
  "Architecture decisions",
  "Requirements",
  "Graph",
];

function renderLeft(left: ReadonlySet<string>, limit: RenderLimit | undefined): string | null {
  const names = [...left].filter((title) => title !== "");
  return names.length === 0 || limit === undefined ? null : `More in [plan.md](${limit.link}): ${names.join(", ")}.`;
}

interface TitledText {
  readonly title: string;
  /** `null` when there is nothing to say. */
  readonly text: string | null;
}

function listSections(plan: Plan, notes: PlanNotes): readonly TitledText[] {
  const numbers = new Map(plan.chunks.map((chunk, index) => [chunk.id, index + 1]));
  const folded = plan.chunks.length > maxOpenBlocks;
  const bodies: readonly (readonly [string, string | null])[] = [
    ["Goal", notes.goal === undefined ? null : escapeMarkdownText(notes.goal)],
    ["Requirements", renderRequirements(notes, numbers)],
    ["Task", renderTask(notes)],
    [
      "Architecture decisions",
      renderList(notes.decisions, ({ choice, why }) => `**${escapeMarkdownText(choice)}**: ${escapeMarkdownText(why)}`),
    ],
    ["Graph", `\`\`\`mermaid\n${renderMermaid(plan.chunks)}\n\`\`\``],
    ["Overview", renderOverview(plan, notes)],
    [
      "Execution blocks",
      plan.chunks.map((chunk, index) => renderBlock(chunk, index + 1, numbers, notes, folded)).join("\n\n"),
    ],
    [
      "Acceptance",
      renderList(plan.acceptance, (item) =>
        item.kind === "check" ? renderCheck(item) : escapeMarkdownText(item.desc),
      ),
    ],
    [
      "Unassignable blocks",
      renderList(
        notes.unassignable,
        ({ chunk, reason }) => `${nameBlock(chunk, numbers)}: ${escapeMarkdownText(reason)}`,
      ),
    ],
    ["Open questions", renderList(notes.open_questions, escapeMarkdownText)],
    ["API contract", renderAside(notes.api_contract)],
    ["Security considerations", renderAside(notes.security)],
    ["User flows", renderAside(notes.user_flows)],
    ["External dependencies", renderAside(notes.external_dependencies)],
    [
      "Checkpoints",
      renderList(
        notes.checkpoints,
        ({ after, reason }) => `After ${nameBlock(after, numbers)}: ${escapeMarkdownText(reason)}`,
      ),
    ],
    [
      "Warnings",
      renderList(notes.warnings, ({ rule, message }) => `${formatCode(rule)}: ${escapeMarkdownText(message)}`),
    ],
    ["Who builds it", notes.executionPlan === undefined ? null : renderExecutionPlan(notes.executionPlan)],
    ["Pre-flight checklist", renderChecklist(notes)],
  ];
  return [
    { title: "Title", text: `# Plan: ${escapeMarkdownText(notes.title ?? plan.feature.slug)}` },
    { title: "Identity", text: renderIdentity(plan, notes) },
    ...bodies.map(([title, body]) => ({ title, text: renderSection(title, body) })),
  ];
}

function renderIdentity(plan: Plan, notes: PlanNotes): string {
  const { feature, baseline } = plan;
  const hash = notes.hash === undefined ? "" : `, hash ${formatCode(notes.hash.slice(0, 12))}`;
  return [
    `Revision ${plan.plan_rev} for intent ${plan.intent_rev}${hash}.`,
    `Chunks land on ${formatCode(feature.integration_branch)}, the feature on ${formatCode(feature.source_branch)}.`,
    `Baseline: ${formatCode(baseline.commit_oid)} with ${formatCode(baseline.toolchain)}.`,
  ].join(" ");
}

function nameBlock(id: string, numbers: ReadonlyMap<string, number>): string {
  const number = numbers.get(id);
  return number === undefined ? formatCode(id) : `block ${number} (${formatCode(id)})`;
}

function renderRequirements(notes: PlanNotes, numbers: ReadonlyMap<string, number>): string | null {
  const requirements = notes.requirements ?? [];
  if (requirements.length === 0) return null;
  return requirements
    .map(({ text, chunks }, index) => {
      const where = chunks.length === 0 ? "no block" : chunks.map((id) => nameBlock(id, numbers)).join(", ");
      return `${index + 1}. ${escapeMarkdownText(text)} → ${where}`;
    })
    .join("\n");
}

function renderTask(notes: PlanNotes): string | null {
  const brief = notes.taskBrief;
  if (brief === undefined) return null;
  const lists = [
    ["Asked for", brief.explicit_requirements],
    ["Implied", brief.implicit_requirements],
    ["Ambiguous", brief.ambiguities],
    ["Out of scope", brief.out_of_scope],
  ] as const;
  const filled = lists.filter(([, texts]) => texts.length > 0);
  const parts = filled.map(([name, texts]) => `${name}:\n\n${renderList(texts, escapeMarkdownText)}`);
  return [`Type ${brief.type}, complexity ${brief.complexity}.`, ...parts].join("\n\n");
}

function renderOverview(plan: Plan, notes: PlanNotes): string {
  return renderTable(
    ["No", "Chunk", "Title", "Waits for", "Tier", "Files", "Agent"],
    plan.chunks.map((chunk, index) => [
      String(index + 1),
      formatTableCode(chunk.id),
      escapeTableCell(chunk.title),
      (chunk.deps ?? []).map(formatTableCode).join(", ") || "–",
      chunk.tier,
      String(chunk.files_touched.length),
      escapeTableCell(notes.assignments?.[chunk.id] ?? "–"),
    ]),
  );
}

function renderChecklist(notes: PlanNotes): string | null {
  const answers = notes.checklist ?? [];
  if (answers.length === 0) return null;
  const demands = new Map(checklist.map((item) => [item.id, item.demand]));
  const table = renderTable(
    ["Item", "Demand", "Answer"],
    answers.map(({ item, where, why_not }) => [
      formatTableCode(item),
      escapeTableCell(demands.get(item) ?? ""),
      escapeTableCell(where ?? (why_not === undefined ? "" : `Does not apply: ${why_not}`)),
    ]),
  );
  return `<details><summary>${answers.length} answers</summary>\n\n${table}\n\n</details>`;
}
