import { escapeMarkdownText, escapeTableCell, formatTableCode } from "../../contracts/markdown.ts";
import { PLAN_LENSES } from "../../contracts/names.ts";
import type { Need } from "../../engine/derive/needs.ts";
import { listFindings } from "../../engine/derive/plan-findings.ts";
import type { DraftState, RunState } from "../../engine/state.ts";
import { formatOptions } from "../blocks/options.ts";
import { joinSections } from "../blocks/sections.ts";
import { cutText, formatSentence, formatSentenceCell } from "../blocks/sentence.ts";
import { formatTable } from "../blocks/table.ts";
import type { Links } from "../links.ts";
import { formatCount } from "../words/amounts.ts";
import { findRunLink } from "../words/job-words.ts";
import { findRow } from "../../engine/table.ts";

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
    formatAnswers(drafts),
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
        drafts.at(-1)?.outcome === "valid"
          ? {
              command: "/override plan <why>",
              effect:
                "override: the last draft is committed as it is and waits for approval; the reason is in the report.",
            }
          : {
              command: "/replan the problems do not matter because <why>",
              effect: "override: no draft is valid, so the planner is told what you decided.",
            },
        {
          command: "/cancel",
          effect:
            state.run.given !== undefined && state.planning.request === null
              ? `cancel: nothing was built yet. Mend the plan in the ${state.run.given.source} and set the label again.`
              : "cancel: nothing was built yet.",
        },
      ],
      "read the open findings; if one is about something the issue does not say, say it in `/replan`.",
    ),
  );
}

function formatRounds(state: RunState, drafts: readonly DraftState[], links: Links): string {
  return formatTable(
    ["Round", "Draft", ...PLAN_LENSES, "Look"],
    drafts.map((draft) => {
      const url = findRunLink(findRow(state.jobs, draft.job), links);
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

/** What the planner said to the findings of each round: reviewers never see it, people do. */
function formatAnswers(drafts: readonly DraftState[]): string {
  const reviewed = drafts.filter((draft) => draft.outcome === "valid");
  const rows = reviewed.slice(1).flatMap((draft, index) => {
    const before = reviewed[index];
    const findings = before === undefined ? [] : listFindings(before);
    return (draft.draft?.answers ?? []).flatMap((answer) => {
      const finding = findings.find((one) => one.id === answer.finding);
      if (finding === undefined) return [];
      return [
        [
          `${before?.round ?? ""}`,
          formatSentenceCell(cutText(finding.title, 200)),
          answer.rebuttal === undefined ? "fixed" : "rebutted",
          formatSentenceCell(cutText(answer.rebuttal ?? answer.fix ?? "", 300)),
        ],
      ];
    });
  });
  if (rows.length === 0) return "";
  return `What the planner answered (its reviewers never see it):\n\n${formatTable(["Round", "Finding", "Answer", "In its words"], rows.slice(-30))}`;
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
