import type { CommitNote } from "../contracts/commit-message.ts";
import type { RunState } from "../engine/state.ts";
import { formatCommitText } from "./blocks/commit-text.ts";
import { formatCount } from "./words/amounts.ts";

/** The commit of a plan revision; written before the revision is a fact, so from the draft that becomes it. */
export function buildPlanNote(state: RunState, rev: number): CommitNote {
  const draft =
    state.revisions.find((entry) => entry.rev === rev)?.draft ?? state.planning.drafts.at(-1)?.draft ?? null;
  const goal = draft === null ? "" : formatCommitText(draft.goal);
  const size = draft === null ? "" : `${formatCount(draft.chunks.length, "chunk")}. `;
  const request = state.planning.request === null ? "" : "\n\nWritten on request: /replan.";
  return {
    subject: `chore(taskfleet): plan revision ${rev}`,
    body: `${size}${goal}${request}`,
    run: state.run.run,
    planRev: rev,
    ci: "skip",
  };
}
