import type { Wait } from "../engine/action.ts";
import type { RunState } from "../engine/state.ts";
import { formatChunkTable } from "./blocks/chunk-table.ts";
import { formatCostTable } from "./blocks/cost-table.ts";
import { formatDetails } from "./blocks/details.ts";
import { formatOtherNeeds } from "./blocks/other-needs.ts";
import { joinSections } from "./blocks/sections.ts";
import { formatSentence } from "./blocks/sentence.ts";
import { formatWaits } from "./blocks/wait-list.ts";
import { BODY_LIMIT, cutMarkdown } from "./cut-markdown.ts";
import { buildLinks, type Links } from "./links.ts";
import { formatPlanLine } from "./blocks/plan-line.ts";
import { formatCommandTable, WHO_MAY_COMMAND } from "./words/command-list.ts";
import { formatCost } from "./words/cost.ts";
import { deriveHeadline } from "./words/headline.ts";

/** More rows than this are a list nobody reads. */
const MOST_CHUNKS = 40;

/**
 * The one comment that is edited for the whole run. Its text depends on the state alone (no "now", no
 * ages), so an edit means that something has changed.
 * @param waits what the newest decision waits for
 * @param now milliseconds since the epoch; only decides which deadlines have passed
 */
export function renderStatusComment(state: RunState, waits: readonly Wait[], now: number): string {
  const links = buildLinks(state);
  const body = joinSections(
    formatVerdict(state, now),
    formatOtherNeeds(state, now),
    formatChunkTable(state, links),
    formatFacts(state, links),
    formatCostDetails(state),
    state.ended === null ? formatDetails(`What it waits for (${waits.length})`, formatWaits(state, waits, links)) : "",
    state.ended === null ? formatDetails("Commands", `${WHO_MAY_COMMAND}\n\n${formatCommandTable()}`) : "",
    `<sub>Taskfleet run \`${state.run.run}\`. This comment is edited as the run goes on.</sub>`,
  );
  return cutMarkdown(body, BODY_LIMIT);
}

/** What is happening, and in bold what is needed from whom. */
function formatVerdict(state: RunState, now: number): string {
  const { icon, sentence, needed, url } = deriveHeadline(state, now);
  const first = `### ${icon} ${formatSentence(sentence)}`;
  if (needed === "") return first;
  const where = url === null ? "" : ` ([go there](${url}))`;
  return `${first}\n\n**Needed:** ${formatSentence(needed)}${where}`;
}

/** The report has it in full. */
function formatCostDetails(state: RunState): string {
  const many = state.chunks.keys.length > MOST_CHUNKS;
  return state.ended !== null || many ? "" : formatDetails("Cost by chunk and attempt", formatCostTable(state));
}

function formatFacts(state: RunState, links: Links): string {
  const lines: string[] = [];
  const plan = formatPlanLine(state, links);
  if (plan !== "") lines.push(`- **Plan:** ${plan}`);
  if (state.featurePull !== null)
    lines.push(`- **Feature:** #${state.featurePull.number} into \`${state.run.source}\``);
  lines.push(`- **Cost so far:** ${formatCost(state)}`);
  return lines.join("\n");
}
