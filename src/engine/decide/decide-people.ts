import { formatBranch } from "../../contracts/names.ts";
import { formatPauses } from "../derive/pauses.ts";
import type { RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";

/** What follows from what people did to the issue and to our branches. */
export function decidePeople(builder: ActionBuilder, state: RunState, now: number): void {
  const { interference, paused } = state;
  if (paused !== null)
    builder.wait({
      subject: "run",
      what: `paused by ${formatPauses(paused)}`,
      until: null,
      unblock: "`/resume`, or `/cancel`",
    });
  if (interference !== null) {
    const due = interference.at + state.run.config.limits.confirm_minutes * 60_000;
    const what = interference.what === "closed" ? "the issue was closed" : "the label was removed";
    if (now >= due) builder.add("cancel-run", "dispatch", `Cancelling: ${what}`, { kind: "CancelRun", why: what });
    else builder.wait({ subject: "run", what, until: due, unblock: "undoing it, or `/cancel` at once" });
  }
  for (const [branch, { lost, n }] of Object.entries(state.lostBranches)) {
    const sha = lost ? findLastHead(state, branch) : null;
    if (sha !== null)
      builder.add(`restore:${branch}:${n}`, "landing", `Restoring ${branch}: somebody deleted it`, {
        kind: "RestoreBranch",
        branch,
        sha,
        n,
      });
  }
}

function findLastHead(state: RunState, branch: string): NonNullable<RunState["integration"]>["tip"] | null {
  return branch === formatBranch({ kind: "integration", run: state.run.run }) ? (state.integration?.tip ?? null) : null;
}
