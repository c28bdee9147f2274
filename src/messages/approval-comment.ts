import type { Config } from "../contracts/config.ts";
import { escapeMarkdownText, formatCode } from "../contracts/markdown.ts";
import { formatEvidencePath, PLAN_LENSES } from "../contracts/names.ts";
import { deriveApprovalPolicy } from "../engine/derive/approval-policy.ts";
import type { PlanRevision, RunState } from "../engine/state.ts";
import { countCheckCommands, formatCheckCommands } from "./blocks/check-commands.ts";
import { formatChunkGraph } from "./blocks/chunk-graph.ts";
import { formatDetails } from "./blocks/details.ts";
import { formatFooter } from "./blocks/footer.ts";
import { formatMention } from "./blocks/mention.ts";
import { formatPlanChanges } from "./blocks/plan-changes.ts";
import { formatDoubts, formatPlanOutline, formatRequirements } from "./blocks/plan-outline.ts";
import { formatSection, joinSections } from "./blocks/sections.ts";
import { cutText, formatSentence } from "./blocks/sentence.ts";
import { BODY_LIMIT, cutMarkdown } from "./cut-markdown.ts";
import { buildLinks } from "./links.ts";
import { formatCount } from "./words/amounts.ts";
import { deriveWorstCase } from "./words/worst-case.ts";

/** Asks a person to approve a plan revision: what will be built, what will run, what it may cost, what to type. */
export function renderApprovalComment(state: RunState, rev: number): string {
  const revision = state.revisions.find((entry) => entry.rev === rev);
  if (revision === undefined) return `Plan revision ${rev} is not committed.`;
  const links = buildLinks(state);
  const checks = countCheckCommands(revision.plan);
  const body = joinSections(
    `### 🙋 ${formatMention(state.run.actor)}, plan revision ${rev} waits for approval`,
    formatAsk(state, revision),
    formatSection("#### What changes", formatPlanChanges(state, revision)),
    formatSection(
      "#### What will be built",
      joinSections(
        `**Goal:** ${escapeMarkdownText(cutText(revision.draft.goal, 1000))}`,
        formatChunkGraph(state, revision),
        formatPlanOutline(revision),
      ),
    ),
    formatSection("#### Please decide", formatDoubts(revision)),
    formatSection("#### What the floor cannot check here", formatUnconfigured(state)),
    formatSection("#### Work on the same ground", formatRelated(state)),
    formatSection("#### What it may cost", formatCostForecast(state, revision)),
    formatDetails(`Requirements and the chunks that meet them`, formatRequirements(revision)),
    formatDetails(
      `The ${formatCount(checks, "command")} the checks run: on a clean machine, without secrets`,
      formatCheckCommands(revision.plan),
    ),
    formatDetails("What the plan reviewers noticed", formatReviewers(state, revision)),
    formatDetails("What could be better in the plan", formatWarnings(state, revision)),
    formatDetails("Notes on the baseline", formatNotes(state.baseline.bound?.notes ?? [])),
    `The plan: [for people](${links.file(revision.commit, formatEvidencePath(state.run.run, { kind: "plan-page" }))}), [as data](${links.file(revision.commit, formatEvidencePath(state.run.run, { kind: "plan", revision: rev }))}).`,
    formatFooter(state, links),
  );
  return cutMarkdown(body, BODY_LIMIT, "_The rest was left out: the plan file has all of it._");
}

function formatAsk(state: RunState, revision: PlanRevision): string {
  const { why } = deriveApprovalPolicy(state, revision);
  const hash = revision.hash.slice(0, 12);
  return [
    `A person must approve because ${formatSentence(why)}. To approve exactly this revision, somebody with write access comments`,
    `\`\`\`\n/approve ${hash}\n\`\`\``,
    "To change it, comment `/replan` followed by what should be different. To end the run: `/cancel`.",
  ].join("\n\n");
}

function formatCostForecast(state: RunState, revision: PlanRevision): string {
  const { config } = state.run;
  const chunks = revision.plan.chunks.length;
  const { atLeast, atMost } = deriveWorstCase(chunks, config);
  const { limits, budget } = config;
  const failing = `for this revision if everything fails as often as it may (${limits.tries} tries per gate, ${limits.unusable} without a usable result)`;
  const lines = [
    `- **${atLeast} agent runs** if nothing fails: an implementer and a reviewer for each of ${formatCount(chunks, "chunk")}, and a final reviewer.`,
    budget.agent_runs > 0
      ? `- **At most ${budget.agent_runs} agent runs** in the whole run, by the configured budget. Without it: ${atMost} ${failing}. ${formatOnTop(limits)}`
      : `- **At most ${atMost} agent runs** ${failing}. ${formatOnTop(limits)}`,
    `- A workflow run may take ${limits.job_minutes} minutes; ${limits.parallel} agents work at a time.`,
  ];
  if (budget.tokens > 0)
    lines.push(`- At most ${budget.tokens.toLocaleString("en-GB")} tokens, by the configured budget.`);
  if (budget.usd > 0) lines.push(`- At most $${budget.usd.toFixed(2)}, by the configured budget.`);
  return lines.join("\n");
}

/** What nobody can count beforehand. */
function formatOnTop({ fix_rounds: fixRounds, plan_rounds: drafts }: Config["limits"]): string {
  const always =
    "On top come work that is repeated because it conflicts with what has landed or something outside failed, another final review whenever the source branch has moved, and what `/retry`, `/assign` and `/replan` ask for";
  if (fixRounds === 0) return `${always}.`;
  return `${always}; and, where the whole feature is found wanting, up to ${formatCount(fixRounds, "revision")} that mend it and one that plans anew, each with up to ${formatCount(drafts, "draft")} and ${PLAN_LENSES.length} reviewers of each, the chunks it changes and a final review.`;
}

/** Warnings of the plan's lint; those of the newest draft, which became the newest revision. */
function formatWarnings(state: RunState, revision: PlanRevision): string {
  if (state.revisions.at(-1)?.rev !== revision.rev) return "";
  return formatNotes(state.planning.drafts.at(-1)?.warnings ?? []);
}

function formatNotes(notes: readonly string[]): string {
  return notes.map((note) => `- ${formatSentence(cutText(note, 500))}`).join("\n");
}

/** Findings that did not block: the reviewers passed the draft with them. */
function formatReviewers(state: RunState, revision: PlanRevision): string {
  const draft = state.planning.drafts.at(-1);
  if (draft === undefined || state.revisions.at(-1)?.rev !== revision.rev) return "";
  return PLAN_LENSES.flatMap((lens) =>
    (draft.verdicts[lens]?.findings ?? []).map(
      ({ chunk, title, evidence }) =>
        `- ${lens}${chunk === "" ? "" : `, ${formatCode(chunk)}`}: ${escapeMarkdownText(cutText(title, 300))}. ${formatSentence(cutText(evidence, 500))}`,
    ),
  ).join("\n");
}

function formatUnconfigured(state: RunState): string {
  const gates = state.baseline.bound?.unconfigured ?? [];
  if (gates.length === 0) return "";
  return `${formatNotes(gates)}\n\nNothing is passed silently: these gates show as “not configured” on every chunk.`;
}

function formatRelated(state: RunState): string {
  return state.run.related
    .slice(0, 20)
    .map(({ number, title }) => `- #${number} ${escapeMarkdownText(cutText(title, 200))}`)
    .join("\n");
}
