import { escapeTableCell } from "../../contracts/markdown.ts";
import type { Need } from "../../engine/derive/needs.ts";
import type { AcceptState, RunState } from "../../engine/state.ts";
import { formatCiTable } from "../blocks/ci-table.ts";
import { formatOptions, type Option } from "../blocks/options.ts";
import { formatReviewFailures } from "../blocks/review-failures.ts";
import { joinSections } from "../blocks/sections.ts";
import { formatViolationList } from "../blocks/violation-list.ts";
import type { Links } from "../links.ts";

type AcceptNeed = Extract<Need, { kind: "accept" }>;

const REPLAN: Option = {
  command: "/replan <what should change>",
  effect: "a new plan revision with the chunks that mend it; what has landed stays.",
};
const CANCEL: Option = { command: "/cancel", effect: "end the run; the integration branch goes away." };

/** All chunks have landed, but the whole feature is not accepted. */
export function formatAcceptNeed(state: RunState, need: AcceptNeed, links: Links): string {
  const { accept, problem } = need.step;
  return joinSections(
    formatPlace(state, accept, links),
    formatEvidence(accept, problem, links),
    formatOptions([REPLAN, ...listOverrides(problem), CANCEL], recommend(problem)),
  );
}

function listOverrides(problem: AcceptNeed["step"]["problem"]): readonly Option[] {
  const effect = "overrule it and go on; recorded with your reason and shown in the report.";
  switch (problem) {
    case "floor":
      return [{ command: "/override <gate> <why>", effect }];
    case "review":
      return [{ command: "/override review <why>", effect }];
    case "ci":
    case "late":
      return [{ command: "/override ci <why>", effect }];
    case "conflict":
    case "lost":
      return [];
  }
}

function formatPlace(state: RunState, accept: AcceptState, links: Links): string {
  return `All chunks have landed. Checked together: [\`${accept.commit.slice(0, 10)}\`](${links.commit(accept.commit)}), which is the feature on \`${state.run.source}\` at [\`${accept.source.slice(0, 10)}\`](${links.commit(accept.source)}).`;
}

function formatEvidence(accept: AcceptState, problem: AcceptNeed["step"]["problem"], links: Links): string {
  switch (problem) {
    case "conflict":
      return `**Cause:** the source branch and the feature changed the same lines: ${escapeTableCell(accept.conflict ?? "")}`;
    case "floor": {
      const { violations, more } = accept.floor?.result ?? { violations: [], more: 0 };
      const shown = violations.slice(0, 50);
      return formatViolationList(shown, links, accept.commit, violations.length - shown.length + more);
    }
    case "review":
      return formatReviewFailures(accept.review?.result ?? null, links, accept.commit);
    case "ci":
    case "late":
      return formatCiTable(accept.ci?.rows ?? []);
    case "lost":
      return "**Cause:** the workflow runs ended without a result that can be believed. Their pages say why.";
  }
}

function recommend(problem: AcceptNeed["step"]["problem"]): string {
  switch (problem) {
    case "conflict":
      return "`/replan` with a chunk that brings the feature in line with what the source branch became.";
    case "floor":
    case "review":
      return "`/replan`, quoting what is listed above.";
    case "ci":
      return "look at the failed checks; run them again if they are flaky, else `/replan` with what they say.";
    case "late":
      return "look at why they do not end; when they have passed, I go on by myself.";
    case "lost":
      return "look at the runs, mend what stopped them, then `/replan` to try again.";
  }
}
