import { formatOneLine } from "../../contracts/markdown.ts";
import type { ChunkChange, PlanDiff } from "../diff/plan-diff.ts";
import { diffLines, listDetails } from "./describe-change.ts";

/** A revision's meaning as plain lines for a terminal; what goes on unchanged is counted. */
export function formatPlanDiff(diff: PlanDiff): string {
  const lines = [`revision ${diff.from} -> ${diff.to}`];
  if (diff.intent !== null) lines.push(`  intent ${diff.intent.from} -> ${diff.intent.to}`);
  for (const change of diff.chunks) if (change.kind !== "unchanged") lines.push(...formatChange(change));
  for (const item of diff.acceptance.removed) lines.push(`- acceptance  ${formatOneLine(item.desc)}`);
  for (const item of diff.acceptance.added) lines.push(`+ acceptance  ${formatOneLine(item.desc)}`);
  for (const field of diff.frame) lines.push(`~ ${field}`);
  const unchanged = diff.chunks.filter((change) => change.kind === "unchanged").length;
  lines.push(`${unchanged} of ${diff.chunks.length} chunks unchanged`);
  return `${lines.join("\n")}\n`;
}

function formatChange(change: Exclude<ChunkChange, { kind: "unchanged" }>): readonly string[] {
  switch (change.kind) {
    case "added":
      return [`+ ${change.id}  added: ${formatOneLine(change.next.title)}`];
    case "removed":
      return [`- ${change.id}  removed${change.landed ? " (has landed; its work stays)" : ""}`];
    case "redefined":
      return [
        `~ ${change.id}  pending again: ${change.fields.join(", ")}${formatLanded(change.landed)}`,
        ...formatDetails(change),
      ];
    case "downstream":
      return [
        `> ${change.id}  pending again, since it waits for ${change.of.join(", ")}${formatLanded(change.landed)}`,
      ];
    case "criteria":
      return [`? ${change.id}  floor and review again: ${change.fields.join(", ")}`, ...formatDetails(change)];
    case "cosmetic":
      return [`= ${change.id}  goes on: ${change.fields.join(", ")}`, ...formatDetails(change)];
  }
}

function formatLanded(landed: boolean): string {
  return landed ? " (has landed; is built again on top)" : "";
}

function formatDetails({ old, next }: Extract<ChunkChange, { fields: unknown }>): readonly string[] {
  const details = listDetails(old, next).map(({ sign, field, text }) => `    ${sign} ${field}  ${formatOneLine(text)}`);
  if (old.brief === next.brief) return details;
  const brief = diffLines(old.brief, next.brief)
    .split("\n")
    .map((line) => `      ${formatOneLine(line)}`);
  return [...details, "    brief", ...brief];
}
