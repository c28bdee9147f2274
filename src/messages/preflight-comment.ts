import { escapeTableCell } from "../contracts/markdown.ts";
import { LABEL } from "../contracts/names.ts";
import { formatSentenceCell } from "./blocks/sentence.ts";
import { joinSections } from "./blocks/sections.ts";
import { formatTable } from "./blocks/table.ts";
import { BODY_LIMIT, cutMarkdown } from "./cut-markdown.ts";
import { formatCount } from "./words/amounts.ts";

export interface PreflightProblem {
  /** What is missing or in the way. */
  readonly what: string;
  readonly why: string;
  /** The smallest step that mends it. */
  readonly fix: string;
}

/** Everything that keeps a run from starting, in one comment. */
export function renderPreflightComment(problems: readonly PreflightProblem[]): string {
  const body = joinSections(
    `### 🛑 Not started: ${formatCount(problems.length, "thing")} ${problems.length === 1 ? "is" : "are"} in the way`,
    formatTable(
      ["What", "Why it matters", "How to mend it"],
      problems.map(({ what, why, fix }) => [formatSentenceCell(what), escapeWhy(why), formatSentenceCell(fix)]),
    ),
    `Nothing was created. When this is mended, take the label \`${LABEL}\` off the issue and set it again.`,
  );
  return cutMarkdown(body, BODY_LIMIT);
}

function escapeWhy(why: string): string {
  return why.includes("`") ? formatSentenceCell(why) : escapeTableCell(why);
}
