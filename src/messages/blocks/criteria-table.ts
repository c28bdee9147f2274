import { formatTableCode } from "../../contracts/markdown.ts";
import type { CriterionResult } from "../../contracts/review-result.ts";
import type { Links } from "../links.ts";
import { formatEvidenceCell } from "./evidence-link.ts";
import { cutText, formatSentenceCell } from "./sentence.ts";
import { formatTable } from "./table.ts";

const MOST_LINKS = 4;

/** Every criterion with its result and the lines that prove it, in the code and in the tests. */
export function formatCriteriaTable(criteria: readonly CriterionResult[], links: Links, commit: string): string {
  return formatTable(
    ["#", "Criterion", "Result", "Implementation", "Tests"],
    criteria.map((criterion) => [
      `${criterion.index + 1}`,
      formatSentenceCell(cutText(criterion.criterion, 300)),
      // In one line, however narrow the column gets.
      criterion.result === "pass" ? "✅\u00A0met" : "❌\u00A0not\u00A0met",
      formatLinks(
        criterion.implementation.length === 0 && criterion.where !== null && criterion.where !== undefined
          ? [formatEvidenceCell(criterion.where, links, commit)]
          : criterion.implementation.map((evidence) => formatEvidenceCell(evidence, links, commit)),
      ),
      formatLinks(
        criterion.tests.map((test) =>
          "check" in test ? formatCheck(test, criterion) : formatEvidenceCell(test, links, commit),
        ),
      ),
    ]),
  );
}

/** A check that is the criterion needs no second telling. */
function formatCheck(test: { readonly check: number; readonly desc: string }, { criterion }: CriterionResult): string {
  const passed = `check ${test.check + 1} passed`;
  return test.desc === criterion ? passed : `${passed}: ${formatSentenceCell(cutText(test.desc, 100))}`;
}

function formatLinks(items: readonly string[]): string {
  const more = items.length - MOST_LINKS;
  return [...items.slice(0, MOST_LINKS), ...(more > 0 ? [formatTableCode(`+${more}`)] : [])].join("<br>");
}
