import { GitHubFailure } from "../../contracts/errors.ts";
import type { Sha } from "../../contracts/ids.ts";
import { WORKFLOW_PATH } from "../../contracts/names.ts";
import type { RunSession } from "../run-session.ts";

/** unseen: GitHub does not show it (yet). */
export type WorkflowJudgement = "known" | "foreign" | "unseen";

/**
 * Whether the workflow file of a commit is one that people have put on the default branch or on the branch the
 * feature lands on. A dispatched run takes the file of the branch it starts on, which anybody with write access may
 * have pushed to (docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows#workflow_dispatch):
 * what it leaves is believed only where that file is such a one.
 */
export async function judgeWorkflow(session: RunSession, commit: Sha): Promise<WorkflowJudgement> {
  const { state } = session;
  const name = await loadName(session, commit);
  if (name === null) return "unseen";
  const { tools, fork, defaultBranch, source } = state.run;
  // Commits first: they are asked for once at most. The branches tell of a file that has changed since the run began.
  const places = new Set([tools, fork, ...state.accepts.map((accept) => accept.source), defaultBranch, source]);
  for (const place of places)
    if (place === commit || (name !== ODD && (await loadName(session, place)) === name)) return "known";
  return "foreign";
}

/** Stands for what is no file, or larger than any workflow is. */
const ODD = "odd";

async function loadName({ repository }: RunSession, place: string): Promise<string | null> {
  try {
    return (await repository.loadFile(WORKFLOW_PATH, place))?.sha ?? null;
  } catch (error) {
    if (error instanceof GitHubFailure && error.kind === "misconfigured") return ODD;
    throw error;
  }
}

/** The smallest next step is the file's: whatever else was pushed there, a job checks out the commit it was sent for. */
export function formatForeignWorkflow(session: RunSession, where: string): string {
  const { defaultBranch, source } = session.state.run;
  const owners = source === defaultBranch ? `\`${source}\`'s` : `\`${defaultBranch}\`'s nor \`${source}\`'s`;
  const not = source === defaultBranch ? "not" : "neither";
  return `${where} holds a \`${WORKFLOW_PATH}\` that is ${not} ${owners}: what it makes jobs do is not believed. Put that file on the branch back to what it is there.`;
}
