import { parseTrailer } from "../../contracts/commit-message.ts";
import { UserError } from "../../contracts/errors.ts";
import type { RunKey, Sha } from "../../contracts/ids.ts";
import { formatEvidencePath } from "../../contracts/names.ts";
import type { Commit, RepositoryPort } from "../../github/port.ts";

const MAX_HISTORY = 5_000;

export interface History {
  readonly fork: Sha;
  /** Our commits on the integration branch, oldest first. */
  readonly own: readonly Commit[];
}

/** The first parents of the tip, down to the fork: the first commit below ours without the run's intent in it. */
export async function loadHistory(repository: RepositoryPort, tip: Sha, run: RunKey): Promise<History> {
  const intent = formatEvidencePath(run, { kind: "intent", revision: 1 });
  const own: Commit[] = [];
  let sha = tip;
  for (let count = 0; count < MAX_HISTORY; count += 1) {
    const commit = await repository.loadCommit(sha);
    const [parent] = commit.parents;
    if (parseTrailer(commit.message, "Taskfleet-Run") === run && parent !== undefined) own.push(commit);
    // What people pushed or merged on top of ours is passed over; it holds what we committed before.
    else if (parent === undefined || (own.length > 0 && (await repository.loadFile(intent, sha)) === null))
      return { fork: sha, own: own.reverse() };
    sha = parent;
  }
  throw new UserError(`The history of run ${run} is longer than ${MAX_HISTORY} commits.`);
}
