import type { CommitNote } from "../contracts/commit-message.ts";
import type { RunState } from "../engine/state.ts";
import { formatCommitText } from "./blocks/commit-text.ts";

/** The run's first commit: the intent and the execution plan of the planning agents. */
export function buildIntakeNote(state: RunState): CommitNote {
  return {
    subject: `chore(taskfleet): start the run for issue ${state.run.issue}`,
    body: `${formatCommitText(state.run.title)}\n\nThe intent is the issue's text as people see it. It does not change without somebody with write access.`,
    run: state.run.run,
    ci: "skip",
  };
}
