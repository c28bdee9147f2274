import { formatRunKey } from "../../contracts/ids.ts";
import { LABEL } from "../../contracts/names.ts";
import type { RunState } from "../../engine/state.ts";
import type { RepositoryPort } from "../../github/port.ts";
import { renderUnfinishedComment } from "../../messages/unfinished-comment.ts";
import type { RunRecord } from "../../store/port.ts";
import type { Fleet } from "../context.ts";
import { formatDueKey } from "../loop/due-key.ts";
import { mayCommand } from "../may-command.ts";
import { postOnce } from "../post-once.ts";
import { RunSession } from "../run-session.ts";
import { formatIntakeHint, type IntakeHint } from "./intake-hint.ts";
import { isLabelAnswered, WAITING } from "./is-label-answered.ts";

/** How often the former run is looked at. */
const PAUSE_MS = 5 * 60_000;
/** GitHub marks pull requests as merged in its own time: this long a run may tidy up without a word. */
const PATIENCE_MS = 15 * 60_000;

/**
 * A label on an issue whose former run is not closed. A run that goes on it does not concern. One that has come to its
 * end is waited for, and whoever set the label is told when that takes long.
 */
export async function waitForEnd(
  fleet: Fleet,
  repository: RepositoryPort,
  run: RunRecord,
  hint: IntakeHint,
): Promise<void> {
  const session = await RunSession.load(fleet, run);
  if (session === null || !isAtEnd(session.state)) return;
  const now = fleet.clock.now();
  const { issue, repositoryId } = run;
  await fleet.store.putDue(formatDueKey({ kind: "intake", repositoryId, issue }), now + PAUSE_MS, [
    formatIntakeHint(hint),
  ]);
  const labeling = await repository.loadLabeling(issue, LABEL);
  // Most often what began the run itself, told of late.
  if (labeling === null || labeling.by.bot || now < labeling.at + PATIENCE_MS) return;
  if (await isLabelAnswered(repository, issue, labeling)) return;
  if (!mayCommand(await repository.loadRole(labeling.by.login))) return;
  const failures = Object.entries(session.state.failures).map(([effect, { message }]) => ({ effect, message }));
  const marker = { run: formatRunKey(issue, 1, "intake"), key: `${WAITING}${labeling.at}` };
  await postOnce(fleet, repository, issue, marker, renderUnfinishedComment(run.runKey, failures));
}

function isAtEnd(state: RunState): boolean {
  return state.ended !== null || state.merged !== null || state.cancelled !== null || state.answerText !== null;
}
