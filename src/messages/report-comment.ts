import { formatReviewKey } from "../engine/derive/review-key.ts";
import { escapeMarkdownText, escapeTableCell, formatCode, formatTableCode } from "../contracts/markdown.ts";
import { formatEvidenceFolder } from "../contracts/names.ts";
import { isUndone } from "../engine/derive/chunk-progress.ts";
import { deriveActiveRevision } from "../engine/derive/plan-progress.ts";
import type { ChunkState, RunState } from "../engine/state.ts";
import { formatPlanLine } from "./blocks/plan-line.ts";
import { formatSection, joinSections } from "./blocks/sections.ts";
import { cutText, formatSentence, formatSentenceCell } from "./blocks/sentence.ts";
import { formatTable } from "./blocks/table.ts";
import { formatModelText } from "./blocks/model-text.ts";
import { formatCostTable } from "./blocks/cost-table.ts";
import { formatFollowUps } from "./blocks/follow-ups.ts";
import { BODY_LIMIT, cutMarkdown } from "./cut-markdown.ts";
import { buildLinks, type Links } from "./links.ts";
import { formatCount, formatDuration, formatList } from "./words/amounts.ts";
import { describeAttempt } from "./words/attempt-words.ts";
import { listOverrides } from "./words/override-words.ts";
import { formatCost } from "./words/cost.ts";
import { findRow } from "../engine/table.ts";

/** The last word of a run: what became of every chunk, what was left out, what it cost, where the evidence is. */
export function renderReport(state: RunState): string {
  const links = buildLinks(state);
  const body = joinSections(
    `### ${formatVerdict(state)}`,
    formatUnverified(state),
    formatSection("#### Chunks", formatChunks(state, links)),
    formatSection("#### Overruled gates", joinSections(formatOverrides(state), formatForgotten(state))),
    formatSection("#### Decisions", formatDecisions(state)),
    formatSection("#### Follow-ups", formatFollowUps(state, links)),
    formatSection(
      "#### Cost",
      joinSections(`${formatCost(state)} · took ${formatDuration(state.at - state.startedAt)}`, formatCostTable(state)),
    ),
    formatSection("#### Evidence", formatEvidence(state, links)),
  );
  return cutMarkdown(body, BODY_LIMIT);
}

/** The answer to a question that needed no change. What a model wrote is shown as text, never as markup. */
export function renderDirectAnswer(state: RunState): string {
  const text = state.answerText ?? "";
  const body = joinSections(
    "### 💬 This needs no change, so here is an answer",
    formatModelText(text).replaceAll(/^/gmu, "> "),
    `<sub>Written by a model that read the repository at \`${state.run.fork.slice(0, 10)}\`; nothing was changed. If you did want a change, say so in the issue and set the label again.</sub>`,
  );
  return cutMarkdown(body, BODY_LIMIT);
}

function formatVerdict(state: RunState): string {
  const chunks = state.chunks.rows;
  const landed = chunks.filter((chunk) => chunk.landed !== null && !isUndone(state, chunk)).length;
  if (state.merged !== null) {
    const where = `merged into \`${state.run.source}\``;
    if (landed === chunks.length && landed > 0)
      return `✅ All ${formatCount(landed, "chunk")} completed successfully, ${where}.`;
    return `✅ ${landed} of ${formatCount(chunks.length, "chunk")} landed, ${where}.`;
  }
  const counted = chunks.length === 0 ? "" : ` ${landed} of ${formatCount(chunks.length, "chunk")} had landed.`;
  if (state.cancelled !== null) return `🛑 Cancelled: ${formatSentence(state.cancelled.why)}.${counted}`;
  return `🛑 The run has ended without a merge.${counted}`;
}

function formatUnverified(state: RunState): string {
  const { merged } = state;
  if (merged === null || merged.verified) return "";
  const how = merged.how === "person" ? "A person merged it" : "The merge brought in something that came in between";
  return `⚠️ **Landed unverified.** ${how}: the merged tree is not the one that passed the floor and the final review.`;
}

function formatChunks(state: RunState, links: Links): string {
  const titles = new Map(deriveActiveRevision(state)?.plan.chunks.map((chunk) => [chunk.id, chunk.title]));
  return formatTable(
    ["Chunk", "Outcome", "Attempts", "Evidence"],
    state.chunks.rows
      .slice(0, 200)
      .map((chunk) => [
        formatName(chunk, titles.get(chunk.id) ?? ""),
        formatOutcome(state, chunk, links),
        `${chunk.attempts.length}`,
        formatChunkEvidence(state, chunk, links),
      ]),
  );
}

function formatName(chunk: ChunkState, title: string): string {
  return `${formatTableCode(chunk.id)}${title === "" ? "" : `: ${escapeTableCell(cutText(title, 80))}`}`;
}

function formatOutcome(state: RunState, chunk: ChunkState, links: Links): string {
  if (isUndone(state, chunk))
    return `➖ landed, and dropped by plan revision ${state.approved?.rev ?? 0}, which undoes it`;
  if (chunk.landed !== null) return formatLanded(state, chunk, chunk.landed);
  if (chunk.skipped) return "➖ skipped";
  const last = chunk.attempts.at(-1);
  if (last === undefined) return "not started";
  return `❌ ${formatSentenceCell(describeAttempt(state, chunk, last, links).what)}`;
}

/** A landing that no gate stands for is said to be one. */
function formatLanded(state: RunState, chunk: ChunkState, landed: NonNullable<ChunkState["landed"]>): string {
  if (!landed.verified) return "⚠️ landed unverified: merged by hand";
  const overruled = listOverrides(state, { chunk: chunk.id, attempt: landed.attempt });
  if (overruled.length === 0) return "✅ landed";
  return `⚠️ landed, overruled: ${formatList(overruled.map((one) => escapeTableCell(one.gate)))}`;
}

function formatChunkEvidence(state: RunState, chunk: ChunkState, links: Links): string {
  const parts: string[] = [];
  const pull = chunk.pulls.at(-1);
  if (pull !== undefined) parts.push(`#${pull.number}`);
  const n = chunk.landed?.attempt ?? chunk.attempts.at(-1)?.n;
  const floor = findRow(state.checks, `${state.run.run}:floor:${chunk.id}:${n}`)?.url;
  if (floor !== undefined) parts.push(`[floor](${floor})`);
  const attempt = chunk.attempts.find((one) => one.n === n);
  const review = attempt === undefined ? undefined : findRow(state.reviews, formatReviewKey(chunk.id, attempt))?.url;
  if (review !== undefined) parts.push(`[review](${review})`);
  if (chunk.landed !== null) parts.push(`[commit](${links.commit(chunk.landed.commit)})`);
  return parts.join(" · ");
}

/** What a gate found and a person set aside, with the reason. */
function formatOverrides(state: RunState): string {
  return formatTable(
    ["Gate", "Of", "By", "Why"],
    state.overrides.map((one) => [
      escapeTableCell(one.gate),
      one.chunk !== null
        ? `${formatTableCode(one.chunk)}, attempt ${one.attempt ?? "?"}`
        : one.accept !== null
          ? "the whole feature"
          : "the plan",
      formatTableCode(one.by),
      formatSentenceCell(cutText(one.why, 500)),
    ]),
  );
}

/** A run that was read back from GitHub knows who overruled what only since then. */
function formatForgotten(state: RunState): string {
  const isKnown = state.countBase === 0 || state.chunks.rows.every((chunk) => chunk.landed === null);
  return isKnown
    ? ""
    : "The App lost its database during this run: what was overruled before is not listed here. Of chunks and of the whole feature it stands in the `Overridden-by` trailers of the commits on the feature's branch.";
}

/** Approvals, drops and the like, each with who decided it: what was not decided by a gate. */
function formatDecisions(state: RunState): string {
  const steering = new Set(["approve", "replan", "skip", "retry", "assign", "take", "resume", "cancel"]);
  const lines = state.commands
    .filter((command) => command.accepted && steering.has(command.name))
    .slice(0, 60)
    .map(
      (command) =>
        `- ${formatCode(command.by)}: ${formatCode(cutText(`/${command.name} ${command.args}`.trim(), 200))}`,
    );
  if (state.approved?.by === "policy")
    lines.unshift(
      `- Plan revision ${state.approved.rev} was approved by policy: ${formatSentence(state.approved.why)}`,
    );
  return lines.join("\n");
}

function formatEvidence(state: RunState, links: Links): string {
  const lines: string[] = [];
  const plan = formatPlanLine(state, links);
  if (plan !== "") lines.push(`- Plan: ${plan}`);
  if (state.featurePull !== null) lines.push(`- Feature pull request: #${state.featurePull.number}`);
  const accept = state.accepts.findLast((entry) => entry.accepted !== null);
  const check = accept === undefined ? undefined : findRow(state.checks, `${state.run.run}:accept:${accept.n}:commit`);
  if (check !== undefined) lines.push(`- Acceptance of the whole feature: [check](${check.url})`);
  if (state.merged !== null) {
    const { commit } = state.merged;
    lines.push(`- Merged commit: [${formatCode(commit.slice(0, 10))}](${links.commit(commit)})`);
    lines.push(
      `- Files of the run: [${escapeMarkdownText(formatEvidenceFolder(state.run.run))}](${links.folder(commit, formatEvidenceFolder(state.run.run))})`,
    );
  }
  return lines.join("\n");
}
