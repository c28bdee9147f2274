import { escapeTableCell, formatTableCode } from "../../contracts/markdown.ts";
import type { CriterionResult } from "../../contracts/review-result.ts";
import type { Links } from "../links.ts";
import { formatEvidenceCell } from "./evidence-link.ts";
import { cutText } from "./sentence.ts";
import { formatTable } from "./table.ts";

const MOST_LINKS = 4;

/** Every criterion with its result and the lines that prove it, in the code and in the tests. */
export function formatCriteriaTable(criteria: readonly CriterionResult[], links: Links, commit: string): string {
  return formatTable(
    ["#", "Criterion", "Result", "Implementation", "Tests"],
    criteria.map((criterion) => [
      `${criterion.index + 1}`,
      escapeTableCell(cutText(criterion.criterion, 300)),
      criterion.result === "pass" ? "✅ met" : "❌ not met",
      formatLinks(
        criterion.implementation.length === 0 && criterion.where !== null && criterion.where !== undefined
          ? [formatEvidenceCell(criterion.where, links, commit)]
          : criterion.implementation.map((evidence) => formatEvidenceCell(evidence, links, commit)),
      ),
      formatLinks(
        criterion.tests.map((test) =>
          "check" in test
            ? `check ${test.check + 1}: ${escapeTableCell(cutText(test.desc, 100))}`
            : formatEvidenceCell(test, links, commit),
        ),
      ),
    ]),
  );
}

function formatLinks(items: readonly string[]): string {
  const more = items.length - MOST_LINKS;
  return [...items.slice(0, MOST_LINKS), ...(more > 0 ? [formatTableCode(`+${more}`)] : [])].join("<br>");
}
