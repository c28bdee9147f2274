import { escapeTableCell } from "../../contracts/markdown.ts";
import type { CiRow } from "../../engine/fact.ts";
import { formatTable } from "./table.ts";

const WORDS: Readonly<Record<CiRow["state"], string>> = {
  pass: "✅ passed",
  fail: "❌ failed",
  pending: "⏳ not finished",
  ignored: "➖ not counted",
};

/** The repository's own checks on the accepted commit; the failed ones first. */
export function formatCiTable(rows: readonly CiRow[]): string {
  const order: readonly CiRow["state"][] = ["fail", "pending", "pass", "ignored"];
  return formatTable(
    ["Check", "Result", "Details"],
    rows
      .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
      .map((row) => [formatName(row), WORDS[row.state], escapeTableCell(row.detail)]),
  );
}

/** A check's own address is anybody's text: only plain web addresses become links. */
function formatName(row: CiRow): string {
  const name = escapeTableCell(row.name);
  return /^https?:\/\/[^\s()<>|\\"'`]+$/u.test(row.url) ? `[${name}](${row.url})` : name;
}
