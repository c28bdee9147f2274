import { formatCode } from "../contracts/markdown.ts";
import { listCriteria } from "../contracts/criteria.ts";
import { formatMarker } from "../contracts/names.ts";
import type { TrackerItem } from "../engine/derive/tracker-items.ts";
import type { RunState } from "../engine/state.ts";
import { formatSection, joinSections } from "./blocks/sections.ts";
import { cutText, formatSentence } from "./blocks/sentence.ts";
import { formatTitle } from "./blocks/title.ts";
import { BODY_LIMIT, cutMarkdown } from "./cut-markdown.ts";

/** A chunk as an issue of its own. */
export function renderTrackerIssue(
  state: RunState,
  { chunk, definition }: TrackerItem,
): { readonly title: string; readonly body: string } {
  const body = joinSections(
    `Chunk ${formatCode(chunk)} of issue #${state.run.issue}. This issue shows where it stands and is closed when it lands; the committed plan is what counts, and nothing that is changed here changes it. Commands go into #${state.run.issue}.`,
    formatSection(
      "#### It is done when",
      listCriteria(definition)
        .map((criterion) => `- ${formatSentence(cutText(criterion, 1000))}`)
        .join("\n"),
    ),
  );
  const marker = formatMarker({ run: state.run.run, key: formatTrackerKey(chunk) });
  return { title: formatTitle(`${chunk}: ${definition.title}`), body: `${cutMarkdown(body, BODY_LIMIT)}\n\n${marker}` };
}

export function formatTrackerKey(chunk: string): string {
  return `tracker:${chunk}`;
}
