import { formatCode, formatCodeBlock } from "../contracts/markdown.ts";
import { listCriteria } from "../contracts/criteria.ts";
import type { ChunkId } from "../contracts/ids.ts";
import { deriveActiveRevision } from "../engine/derive/plan-progress.ts";
import type { AttemptState, RunState } from "../engine/state.ts";
import { formatDetails } from "./blocks/details.ts";
import { formatSection, joinSections } from "./blocks/sections.ts";
import { cutText, formatSentence } from "./blocks/sentence.ts";
import { formatTitle } from "./blocks/title.ts";
import { BODY_LIMIT, cutMarkdown } from "./cut-markdown.ts";
import type { PullText } from "./feature-pull.ts";
import { buildLinks } from "./links.ts";
import { formatCount } from "./words/amounts.ts";
import { findRow } from "../engine/table.ts";

/** A chunk's pull request into the integration branch: what was asked for, and who judges it. */
export function renderChunkPull(state: RunState, chunk: ChunkId, attempt: number): PullText {
  const links = buildLinks(state);
  const definition = deriveActiveRevision(state)?.plan.chunks.find((entry) => entry.id === chunk);
  const entry = findRow(state.chunks, chunk)?.attempts.find((candidate) => candidate.n === attempt);
  const feature = state.featurePull === null ? "" : `, part of #${state.featurePull.number}`;
  const body = joinSections(
    `Chunk ${formatCode(chunk)} of issue #${state.run.issue}${feature}. It lands by itself when the floor and a fresh reviewer pass it; please do not merge it by hand.`,
    definition === undefined
      ? ""
      : formatSection(
          "#### It is done when",
          listCriteria(definition)
            .map((criterion) => `- ${formatSentence(cutText(criterion, 1000))}`)
            .join("\n"),
        ),
    entry === undefined ? "" : formatAttempt(entry),
    definition === undefined ? "" : formatDetails("What the implementer was told", formatCodeBlock(definition.brief)),
    definition === undefined
      ? ""
      : formatDetails(
          "Files it may change",
          definition.files_touched.map((path) => `- ${formatCode(path)}`).join("\n"),
        ),
    `<sub>Taskfleet run \`${state.run.run}\` · [issue](${links.issue(state.run.issue)}). A writer's review with requested changes is respected.</sub>`,
  );
  return { title: formatTitle(`${chunk}: ${definition?.title ?? chunk}`), body: cutMarkdown(body, BODY_LIMIT) };
}

function formatAttempt(attempt: AttemptState): string {
  const model = attempt.model === "" ? "" : ` with ${formatCode(attempt.model)}`;
  // A person's push is an attempt too; its agent is their login.
  const who = attempt.agent.startsWith("@")
    ? `pushed by ${formatCode(attempt.agent.slice(1))}`
    : `by agent ${formatCode(attempt.agent)}${model}`;
  const lines = [
    `Attempt ${attempt.n} ${who}, on plan revision ${attempt.planRev}: ${formatCount(attempt.files.length, "file")}.`,
  ];
  if (attempt.summary.trim() !== "")
    lines.push(`The agent says (not verified): ${formatSentence(cutText(attempt.summary, 2000))}`);
  return formatSection("#### The first attempt", lines.join("\n\n"));
}
