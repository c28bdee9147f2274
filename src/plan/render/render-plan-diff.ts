import { escapeMarkdownText, formatCode, formatCodeBlock } from "../../contracts/markdown.ts";
import type { AcceptanceItem } from "../../contracts/plan.ts";
import type { ChunkChange, PlanDiff } from "../diff/plan-diff.ts";
import { diffLines, listDetails } from "./describe-change.ts";
import { renderCheck } from "./render-block.ts";
import { renderDocument, renderList, renderSection } from "./sections.ts";

/** A revision's meaning for people who know the old one: what is built (again), what is judged anew, what stays. */
export function renderPlanDiff(diff: PlanDiff): string {
  const of = <K extends ChunkChange["kind"]>(kind: K): readonly Extract<ChunkChange, { kind: K }>[] =>
    diff.chunks.filter((change): change is Extract<ChunkChange, { kind: K }> => change.kind === kind);
  const unchanged = of("unchanged").length;
  return renderDocument([
    `# Plan diff: revision ${diff.from} → ${diff.to}`,
    diff.intent === null ? null : `Answers intent ${diff.intent.to} instead of ${diff.intent.from}.`,
    renderSection(
      "Added",
      renderList(of("added"), ({ id, next }) => `${formatCode(id)} ${escapeMarkdownText(next.title)}`),
    ),
    renderSection(
      "Removed",
      renderList(
        of("removed"),
        ({ id, old, landed }) =>
          `${formatCode(id)} ${escapeMarkdownText(old.title)}${landed ? ". **Has landed**; its work stays until another chunk undoes it" : ""}`,
      ),
    ),
    renderSection("Changed, pending again", renderChanges(of("redefined"))),
    renderSection(
      "Pending again because of these",
      renderList(
        of("downstream"),
        ({ id, next, of: above, landed }) =>
          `${formatCode(id)} ${escapeMarkdownText(next.title)} (waits for ${above.map(formatCode).join(", ")})${landed ? ". Has landed; is built again on top" : ""}`,
      ),
    ),
    renderSection("Same work, floor and review again", renderChanges(of("criteria"))),
    renderSection("Renamed or another tier only", renderChanges(of("cosmetic"))),
    renderSection("Acceptance", renderAcceptance(diff.acceptance)),
    renderSection(
      "Frame",
      renderList(diff.frame, (field) => `${formatCode(field)} changed`),
    ),
    unchanged === 0 ? null : `${unchanged} ${unchanged === 1 ? "chunk goes" : "chunks go"} on unchanged.`,
  ]);
}

type DetailedChange = Extract<ChunkChange, { kind: "redefined" | "criteria" | "cosmetic" }>;

function renderChanges(changes: readonly DetailedChange[]): string | null {
  if (changes.length === 0) return null;
  return changes
    .map((change) => {
      const landed = change.landed && change.kind === "redefined" ? ". Has landed; is built again on top" : "";
      const head = `- ${formatCode(change.id)} ${escapeMarkdownText(change.next.title)}: ${change.fields.join(", ")}${landed}`;
      const details = listDetails(change.old, change.next).map(
        ({ sign, field, text }) => `  - ${field} ${sign} ${formatCode(text)}`,
      );
      const brief =
        change.old.brief === change.next.brief
          ? []
          : [indent(formatCodeBlock(diffLines(change.old.brief, change.next.brief), "diff"))];
      return [head, ...details, ...brief].join("\n");
    })
    .join("\n");
}

function indent(text: string): string {
  return `\n${text.replaceAll(/^/gm, "  ")}`;
}

function renderAcceptance({ added, removed }: PlanDiff["acceptance"]): string | null {
  const describe = (item: AcceptanceItem): string =>
    item.kind === "check" ? renderCheck(item) : escapeMarkdownText(item.desc);
  return renderList(
    [...removed.map((item) => `removed: ${describe(item)}`), ...added.map((item) => `added: ${describe(item)}`)],
    (line) => line,
  );
}
