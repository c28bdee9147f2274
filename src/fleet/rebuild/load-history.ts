import { parseTrailer } from "../../contracts/commit-message.ts";
import { UserError } from "../../contracts/errors.ts";
import type { RunKey, Sha } from "../../contracts/ids.ts";
import type { Commit, RepositoryPort } from "../../github/port.ts";

const MAX_HISTORY = 5_000;

export interface History {
  readonly fork: Sha;
  /** Our commits on the integration branch, oldest first. */
  readonly own: readonly Commit[];
}

/** The first parents of the tip, down to the first commit that is not ours. */
export async function loadHistory(repository: RepositoryPort, tip: Sha, run: RunKey): Promise<History> {
  const own: Commit[] = [];
  let sha = tip;
  for (let count = 0; count < MAX_HISTORY; count += 1) {
    const commit = await repository.loadCommit(sha);
    const [parent] = commit.parents;
    if (parseTrailer(commit.message, "Taskfleet-Run") !== run || parent === undefined) {
      // What somebody else pushed on top of ours is skipped over; below ours, the fork begins.
      if (own.length > 0 || parent === undefined) return { fork: sha, own: own.reverse() };
    } else own.push(commit);
    sha = parent;
  }
  throw new UserError(`The history of run ${run} is longer than ${MAX_HISTORY} commits.`);
}
