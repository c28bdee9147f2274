import { escapeMarkdownText, escapeTableCell, formatTableCode } from "../../contracts/markdown.ts";
import type { PlanRevision } from "../../engine/state.ts";
import { formatList } from "../words/amounts.ts";
import { cutText } from "./sentence.ts";
import { formatTable } from "./table.ts";

const MOST_CHUNKS = 60;

/** What will be built: one row per chunk. */
export function formatPlanOutline(revision: PlanRevision): string {
  const { chunks } = revision.plan;
  const table = formatTable(
    ["Chunk", "What", "After", "Files", "Agent"],
    chunks
      .slice(0, MOST_CHUNKS)
      .map((chunk) => [
        formatTableCode(chunk.id),
        escapeTableCell(cutText(chunk.title, 120)),
        formatList((chunk.deps ?? []).map(formatTableCode), 5),
        formatList(chunk.files_touched.map(formatTableCode), 6),
        escapeTableCell(revision.agents[chunk.id] ?? ""),
      ]),
  );
  const rest = chunks.length - MOST_CHUNKS;
  return rest > 0 ? `${table}\n\n_${rest} more chunks are in the plan file._` : table;
}

/** What the person asked for and which chunks meet it. */
export function formatRequirements(revision: PlanRevision): string {
  return revision.draft.requirements
    .slice(0, 60)
    .map(({ text, chunks }) => {
      const by =
        chunks.length === 0
          ? "**no chunk**"
          : formatList(
              chunks.map((chunk) => formatTableCode(chunk)),
              6,
            );
      return `- ${escapeMarkdownText(cutText(text, 400))} → ${by}`;
    })
    .join("\n");
}

/** What the planner could not settle, as a list; "" when all is clear. */
export function formatDoubts(revision: PlanRevision): string {
  const { draft } = revision;
  const line = (what: string, text: string): string => `- ${what}: ${escapeMarkdownText(cutText(text, 400))}`;
  return [
    ...draft.open_questions.map((question) => line("Open question", question)),
    ...draft.task_brief.ambiguities.map((ambiguity) => line("Could be meant in more than one way", ambiguity)),
    ...draft.unassignable.map(
      ({ chunk, reason }) => `- No agent fits ${formatTableCode(chunk)}: ${escapeMarkdownText(cutText(reason, 400))}`,
    ),
    ...draft.checkpoints.map(
      ({ after, reason }) =>
        `- A person should look after ${formatTableCode(after)}: ${escapeMarkdownText(cutText(reason, 400))}`,
    ),
  ].join("\n");
}
