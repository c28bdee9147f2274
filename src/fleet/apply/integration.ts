import { formatBlobName } from "../../contracts/blob-name.ts";
import { formatCommitMessage, parseTrailer } from "../../contracts/commit-message.ts";
import type { Sha } from "../../contracts/ids.ts";
import { formatBranch, formatEvidencePath } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import { buildIntakeNote } from "../../messages/intake-note.ts";
import { compileIntake, formatExecutionPlan } from "../compile.ts";
import type { RunSession } from "../run-session.ts";

/** The run's branch: the fork commit, plus the intent and the planning agents' execution plan. */
export async function applyIntegration(session: RunSession): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const { run, fork, intent, configText } = state.run;
  const branch = formatBranch({ kind: "integration", run });
  const intentBlob = formatBlobName(intent);
  const existing = await repository.loadBranch(branch);
  if (existing !== null) {
    // A crash after the branch was made: it is ours if it is what we would make.
    const commit = await repository.loadCommit(existing);
    if (commit.parents[0] === fork && parseTrailer(commit.message, "Taskfleet-Run") === run)
      return [{ kind: "IntegrationCreated", commit: existing, intentBlob }];
  }
  const base = await repository.loadCommit(fork);
  const tree = await repository.createTree(base.tree, [
    { path: formatEvidencePath(run, { kind: "intent", revision: 1 }), mode: "100644", content: intent },
    ...(configText === undefined
      ? []
      : [{ path: formatEvidencePath(run, { kind: "config" }), mode: "100644", content: configText } as const]),
    {
      path: formatEvidencePath(run, { kind: "execution-plan", revision: 0 }),
      mode: "100644",
      content: formatExecutionPlan(compileIntake(state)),
    },
  ]);
  const commit: Sha = await repository.createCommit({
    tree,
    parents: [fork],
    message: formatCommitMessage(buildIntakeNote(state)),
  });
  await repository.createBranch(branch, commit);
  return [{ kind: "IntegrationCreated", commit, intentBlob }];
}
