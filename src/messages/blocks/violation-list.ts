import { formatCode } from "../../contracts/markdown.ts";
import { GATE_NAMES, type GateNumber, type Violation } from "../../contracts/floor-result.ts";
import type { Links } from "../links.ts";
import { cutText, formatSentence } from "./sentence.ts";

/**
 * Violations grouped by gate, each with its place, what it was and is, and a hint.
 * @param commit where the places are linked to; null = not linked
 * @param more how many are not in the list
 */
export function formatViolationList(
  violations: readonly Violation[],
  links: Links,
  commit: string | null,
  more = 0,
): string {
  const byGate = new Map<GateNumber, Violation[]>();
  for (const violation of violations) byGate.set(violation.gate, [...(byGate.get(violation.gate) ?? []), violation]);
  const groups = [...byGate].map(
    ([gate, group]) =>
      `**Gate ${gate}, ${GATE_NAMES[gate]}** (${group.length})\n\n${group.map((violation) => formatViolation(violation, links, commit)).join("\n")}`,
  );
  if (more > 0) groups.push(`_and ${more} more_`);
  return groups.join("\n\n");
}

function formatViolation(violation: Violation, links: Links, commit: string | null): string {
  const place = formatPlace(violation, links, commit);
  const hint = violation.hint === undefined ? "" : `\n  - _Hint:_ ${formatSentence(cutText(violation.hint, 500))}`;
  return `- ${place}${formatSentence(cutText(violation.message, 1000))}${formatChange(violation)}${hint}`;
}

function formatPlace({ path, line }: Violation, links: Links, commit: string | null): string {
  if (path === undefined) return "";
  const name = formatCode(line === undefined ? path : `${path}:${line}`);
  if (commit === null) return `${name}: `;
  return `[${name}](${line === undefined ? links.file(commit, path) : links.lines(commit, path, line, line)}): `;
}

function formatChange({ was, now }: Violation): string {
  if (was === undefined && now === undefined) return "";
  const value = (text: string | undefined): string =>
    text === undefined || text === "" ? "nothing" : formatCode(cutText(text, 200));
  return ` (was ${value(was)}, now ${value(now)})`;
}
