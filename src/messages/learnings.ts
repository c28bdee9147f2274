import { escapeMarkdownText, escapeTableCell, formatCode, formatTableCode } from "../contracts/markdown.ts";
import { isUndone } from "../engine/derive/chunk-progress.ts";
import { deriveActiveRevision } from "../engine/derive/plan-progress.ts";
import type { AttemptState, RunState } from "../engine/state.ts";

/** What was built and how, for whoever works here next: what the App knows, and what implementers said. */
export function renderProjectContext(state: RunState): string {
  const bound = state.baseline.bound;
  const chunks = listLanded(state).map(({ id, title, attempt }) => {
    const files = attempt.files.map((file) => formatCode(file.path)).join(", ");
    return `- ${formatCode(id)}: ${escapeMarkdownText(title)} (${files})`;
  });
  const patterns = listLanded(state).flatMap(({ attempt }) =>
    (attempt.context?.patterns ?? []).map((pattern) => `- ${escapeMarkdownText(pattern)}`),
  );
  return `${[
    `# Project context of run ${state.run.run}`,
    `## Tooling\n\n- Toolchain: ${formatCode(bound?.baseline.toolchain ?? "unknown")}\n- Not checked by the floor: ${bound === null || bound.unconfigured.length === 0 ? "nothing" : bound.unconfigured.join(", ")}`,
    `## Landed chunks\n\n${chunks.join("\n")}`,
    ...(patterns.length === 0 ? [] : [`## Patterns (as their implementers describe them)\n\n${patterns.join("\n")}`]),
  ].join("\n\n")}\n`;
}

/** Services, factories, tables and shared modules that implementers named: claims, with their places. */
export function renderServiceInventory(state: RunState): string {
  const rows = listLanded(state).flatMap(({ id, attempt }) =>
    (attempt.context?.services ?? []).map(
      (service) =>
        `| ${escapeTableCell(service.name)} | ${formatTableCode(service.path)} | ${escapeTableCell(service.purpose)} | ${formatTableCode(id)} |`,
    ),
  );
  if (rows.length === 0) return "# Service inventory\n\nNo implementer named a service.\n";
  return `# Service inventory\n\n| Name | Where | What for | Chunk |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

function listLanded(
  state: RunState,
): ReadonlyArray<{ readonly id: string; readonly title: string; readonly attempt: AttemptState }> {
  const chunks = deriveActiveRevision(state)?.plan.chunks ?? [];
  return state.chunks.rows.flatMap((chunk) => {
    const attempt = chunk.attempts.find((entry) => entry.n === chunk.landed?.attempt);
    if (attempt === undefined || isUndone(state, chunk)) return [];
    return [{ id: chunk.id, title: chunks.find((entry) => entry.id === chunk.id)?.title ?? chunk.id, attempt }];
  });
}
