import { escapeTableCell, formatTableCode } from "../../contracts/markdown.ts";
import type { ExecutionPlan } from "../../contracts/execution-plan.ts";
import { shorten } from "./render-mermaid.ts";
import { renderTable } from "./sections.ts";

const maxRows = 120;

/** The roles as a table, in the order of spawning. */
export function renderExecutionPlan(plan: ExecutionPlan, link?: string): string {
  const shown = plan.agents.slice(0, maxRows);
  const table = renderTable(
    ["Role", "Model", "Waits for", "Branch", "Context"],
    shown.map((agent) => [
      formatTableCode(agent.role),
      agent.model,
      listDeps(agent.depends_on),
      agent.worktree === null ? "–" : formatTableCode(agent.worktree),
      escapeTableCell(shorten(agent.context.split("\n")[0] ?? "", 100)),
    ]),
  );
  const rest = plan.agents.length - shown.length;
  if (rest === 0) return table;
  return `${table}\n\nand ${rest} more${link === undefined ? "" : ` in [the execution plan](${link})`}.`;
}

const maxDeps = 4;

function listDeps(deps: string | readonly string[] | null): string {
  const list = typeof deps === "string" ? [deps] : (deps ?? []);
  if (list.length === 0) return "–";
  const rest = list.length - maxDeps;
  return `${list.slice(0, maxDeps).map(formatTableCode).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
