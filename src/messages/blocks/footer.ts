import { formatBranch, formatEvidencePath } from "../../contracts/names.ts";
import type { RunState } from "../../engine/state.ts";
import type { Links } from "../links.ts";

/** The last line of our comments: which run speaks, and where its plan and its status stand. */
export function formatFooter(state: RunState, links: Links): string {
  const { run } = state.run;
  const parts = [`Taskfleet run \`${run}\``];
  const rev = state.revisions.at(-1)?.rev;
  const branch = formatBranch({ kind: "integration", run });
  if (rev !== undefined && state.ended === null)
    parts.push(`[plan revision ${rev}](${links.file(branch, formatEvidencePath(run, { kind: "plan-page" }))})`);
  const status = state.comments["status"];
  if (status !== undefined) parts.push(`[status](${status.url})`);
  return `<sub>${parts.join(" · ")}</sub>`;
}
