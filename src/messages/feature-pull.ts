import { escapeMarkdownText } from "../contracts/markdown.ts";
import { formatEvidenceFolder, formatEvidencePath } from "../contracts/names.ts";
import { deriveActiveRevision } from "../engine/derive/plan-progress.ts";
import type { PlanRevision, RunState } from "../engine/state.ts";
import { formatChunkGraph } from "./blocks/chunk-graph.ts";
import { formatChunkTable } from "./blocks/chunk-table.ts";
import { formatDetails } from "./blocks/details.ts";
import { formatPlanLine } from "./blocks/plan-line.ts";
import { formatDoubts, formatRequirements } from "./blocks/plan-outline.ts";
import { formatSection, joinSections } from "./blocks/sections.ts";
import { cutText, formatSentence } from "./blocks/sentence.ts";
import { formatTitle } from "./blocks/title.ts";
import { BODY_LIMIT, cutMarkdown } from "./cut-markdown.ts";
import { buildLinks, type Links } from "./links.ts";
import { deriveHeadline } from "./words/headline.ts";

export interface PullText {
  readonly title: string;
  readonly body: string;
}

/** The feature pull request: the plan, how far it has come, and where the evidence is. */
export function renderFeaturePull(state: RunState, now: number): PullText {
  const links = buildLinks(state);
  const revision = deriveActiveRevision(state) ?? state.revisions.at(-1) ?? null;
  const { icon, sentence, needed } = deriveHeadline(state, now);
  const body = joinSections(
    `**${icon} ${formatSentence(sentence)}**${needed === "" ? "" : ` Needed: ${formatSentence(needed)}.`}`,
    `Closes #${state.run.issue}`,
    revision === null ? "" : formatPlan(state, revision, links),
    formatSection("#### Progress", formatChunkTable(state, links)),
    revision === null ? "" : formatDetails("Requirements and the chunks that meet them", formatRequirements(revision)),
    revision === null ? "" : formatDetails("What the planner could not settle", formatDoubts(revision)),
    formatSection("#### Evidence", revision === null ? "" : formatEvidence(state, revision, links)),
  );
  return {
    title: formatTitle(revision?.draft.title ?? state.run.title),
    body: cutMarkdown(body, BODY_LIMIT, "_The rest was left out: the plan file has all of it._"),
  };
}

function formatPlan(state: RunState, revision: PlanRevision, links: Links): string {
  return joinSections(
    `#### Plan\n\n**Goal:** ${escapeMarkdownText(cutText(revision.draft.goal, 2000))}`,
    formatPlanLine(state, links),
    formatChunkGraph(state, revision),
  );
}

function formatEvidence(state: RunState, revision: PlanRevision, links: Links): string {
  const { run } = state.run;
  const file = (name: string, path: string): string => `[${name}](${links.file(revision.commit, path)})`;
  const { rev } = revision;
  return [
    `Committed with the plan under \`${formatEvidenceFolder(run)}/\`:`,
    [
      file("intent", formatEvidencePath(run, { kind: "intent", revision: revision.plan.intent_rev })),
      file("plan for people", formatEvidencePath(run, { kind: "plan-page" })),
      file("plan as data", formatEvidencePath(run, { kind: "plan", revision: rev })),
      file("baseline", formatEvidencePath(run, { kind: "baseline", revision: rev })),
      file("execution plan", formatEvidencePath(run, { kind: "execution-plan", revision: rev })),
    ].join(" · "),
    "Every landing commit names the floor and review runs it rests on.",
  ].join(" ");
}
