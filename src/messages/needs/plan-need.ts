import { escapeMarkdownText, escapeTableCell, formatTableCode } from "../../contracts/markdown.ts";
import { PLAN_LENSES } from "../../contracts/names.ts";
import type { Need } from "../../engine/derive/needs.ts";
import type { DraftState, RunState } from "../../engine/state.ts";
import { formatOptions } from "../blocks/options.ts";
import { joinSections } from "../blocks/sections.ts";
import { cutText, formatSentence, formatSentenceCell } from "../blocks/sentence.ts";
import { formatTable } from "../blocks/table.ts";
import type { Links } from "../links.ts";
import { formatCount } from "../words/amounts.ts";
import { findRunLink } from "../words/job-words.ts";

/** The planner asks, or no plan came of its rounds. */
export function formatPlanNeed(state: RunState, need: Extract<Need, { kind: "plan" }>, links: Links): string {
  return need.questions.length > 0 ? formatQuestions(need.questions) : formatNoPlan(state, need.why, links);
}

function formatQuestions(questions: readonly string[]): string {
  return joinSections(
    "It does not guess where the answer changes what is built:",
    questions.map((question, index) => `${index + 1}. ${escapeMarkdownText(cutText(question, 1000))}`).join("\n"),
    formatOptions(
      [
        { command: "/replan <your answers>", effect: "planning goes on with what you write, on one line or several." },
        { command: "/cancel", effect: "end the run." },
      ],
      "answer all questions in one comment that begins with `/replan`.",
    ),
  );
}

function formatNoPlan(state: RunState, why: string, links: Links): string {
  const { drafts, lost } = state.planning;
  return joinSections(
    formatRounds(state, drafts, links),
    lost.length === 0
      ? ""
      : `${formatCount(lost.length, "planning run")} gave no result: ${formatSentence(cutText(lost.at(-1) ?? "", 500))}`,
    formatOpenFindings(drafts.at(-1)),
    `**Cause:** ${formatSentence(why)}.`,
    formatOptions(
      [
        {
          command: "/replan <what to do about the findings>",
          effect: "revise: a new search for a plan, with your words.",
        },
        {
          command: "/replan keep only <the part that matters most>",
          effect: "simplify: a smaller plan first, the rest in another issue.",
        },
        {
          command: "/replan the findings do not apply because <why>",
          effect: "override: the planner is told that you decided, and writes it into the plan.",
        },
        { command: "/cancel", effect: "cancel: nothing was built yet." },
      ],
      "read the open findings; if one is about something the issue does not say, say it in `/replan`.",
    ),
  );
}

function formatRounds(state: RunState, drafts: readonly DraftState[], links: Links): string {
  return formatTable(
    ["Round", "Draft", ...PLAN_LENSES, "Look"],
    drafts.map((draft) => {
      const url = findRunLink(state.jobs[draft.job], links);
      return [
        `${draft.round}`,
        formatDraftOutcome(draft),
        ...PLAN_LENSES.map((lens) => {
          const verdict = draft.verdicts[lens];
          if (verdict === undefined) return "–";
          const blocking = verdict.findings.filter((finding) => finding.severity === "blocking").length;
          return verdict.outcome === "pass" ? "✅" : `❌ ${blocking}`;
        }),
        url === null ? "" : `[run](${url})`,
      ];
    }),
  );
}

function formatDraftOutcome(draft: DraftState): string {
  switch (draft.outcome) {
    case "valid":
      return `valid, ${formatCount(draft.draft?.chunks.length ?? 0, "chunk")}`;
    case "refused":
      return `not valid: ${escapeTableCell(cutText(draft.problems[0] ?? "", 200))}`;
    case "unusable":
      return `nothing usable: ${escapeTableCell(cutText(draft.problems[0] ?? "", 200))}`;
  }
}

function formatOpenFindings(draft: DraftState | undefined): string {
  if (draft === undefined) return "";
  const problems = draft.problems.slice(0, 20).map((problem) => `- ${formatSentence(cutText(problem, 500))}`);
  const findings = PLAN_LENSES.flatMap((lens) =>
    (draft.verdicts[lens]?.findings ?? []).map((finding) => [
      lens,
      finding.severity,
      finding.chunk === "" ? "" : formatTableCode(finding.chunk),
      formatSentenceCell(cutText(finding.title, 200)),
      formatSentenceCell(cutText(finding.evidence, 300)),
    ]),
  );
  return joinSections(
    problems.length === 0 ? "" : `What is wrong with the last draft:\n\n${problems.join("\n")}`,
    findings.length === 0
      ? ""
      : `What is open:\n\n${formatTable(["Reviewer", "Severity", "Chunk", "Finding", "Evidence"], findings.slice(0, 40))}`,
  );
}
