import type { AttemptSummary, ChunkSummary, DemoSummary } from "./demo-options.ts";
import { paint } from "./format-line.ts";

const outcomes: Readonly<Record<DemoSummary["outcome"], { readonly sign: string; readonly code: number }>> = {
  merged: { sign: "★ merged", code: 32 },
  escalated: { sign: "? waits for people", code: 33 },
  cancelled: { sign: "· cancelled", code: 33 },
  failed: { sign: "✗ failed", code: 31 },
};

/** The table at the end of a demo. */
export function formatSummary(summary: DemoSummary, colour: "on" | "off"): readonly string[] {
  const { sign, code } = outcomes[summary.outcome];
  const rows = [["chunk", "attempts", "landed", "what happened on the way"], ...summary.chunks.map(formatRow)];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const [head = "", ...body] = lines;
  const { requests } = summary;
  return [
    "",
    `${paint(sign, code, colour)}  ${summary.runKey ?? "no run"}`,
    "",
    paint(head, 1, colour),
    ...body,
    "",
    formatCommits(summary),
    `${requests.total} requests by the App (${requests.perChunk} per chunk), ${requests.contentCreating} of them creating content; ${summary.seconds} s`,
  ];
}

function formatRow({ id, attempts, landed }: ChunkSummary): string[] {
  const failures = attempts.filter(({ reason }) => reason !== "").map(({ n, reason }) => `${n}: ${reason}`);
  return [id, attempts.map(formatAttempt).join(" "), landed?.slice(0, 7) ?? "-", failures.join("; ")];
}

/** ✓ landed or passed, f failed the floor, r failed the review, ∅ nothing usable. */
function formatAttempt({ floor, review }: AttemptSummary): string {
  if (floor === null) return "∅";
  if (floor === "fail") return "f";
  return review === "fail" ? "r" : "✓";
}

function formatCommits({ planRevs, featurePr, commits }: DemoSummary): string {
  const parts = [
    `plan ${planRevs.map((rev) => `v${rev}`).join(", ") || "none"}`,
    featurePr === null ? "" : `feature PR #${featurePr}`,
    `fork ${commits.fork?.slice(0, 7) ?? "-"} → integration ${commits.integration?.slice(0, 7) ?? "-"} → merged ${commits.merged?.slice(0, 7) ?? "-"}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
