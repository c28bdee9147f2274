import { GitHubFailure } from "../../contracts/errors.ts";
import { formatCommitMessage } from "../../contracts/commit-message.ts";
import type { Sha } from "../../contracts/ids.ts";
import { formatBranch } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import type { AttemptState } from "../../engine/state.ts";
import type { RepositoryPort, TreeChange, TreeEntry } from "../../github/port.ts";
import { buildCandidateNote } from "../../messages/landing-note.ts";
import { makeBranch } from "./make-branch.ts";
import type { WorkOf } from "./work-of.ts";
import type { RunSession } from "../run-session.ts";
import { findRow } from "../../engine/table.ts";

/**
 * What would land: the tip with the change sets of all riding chunks. A file that both the tip and a
 * change set touched since the attempt began is a conflict: that chunk is built again on the new tip.
 * Whether the branch is still at the tip is not asked: the landing looks, and lands nothing on another one.
 */
export async function applyCandidate(session: RunSession, action: WorkOf<"CreateCandidate">): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const { tip, hash } = action;
  const tipCommit = await repository.loadCommit(tip);
  const now = await loadPaths(repository, tipCommit.tree);
  const changes: TreeChange[] = [];
  const heads: Sha[] = [];
  const conflicts: Fact[] = [];
  for (const chunk of action.chunks) {
    const attempt = findRow(state.chunks, chunk)?.attempts.at(-1);
    if (attempt === undefined || attempt.head === null || attempt.tree === null)
      throw new Error(`chunk ${chunk} has nothing to land`);
    const paths = await findConflicts(repository, attempt, now);
    if (paths.length > 0) conflicts.push({ kind: "ChunkConflicted", chunk, attempt: attempt.n, paths });
    heads.push(attempt.head);
    changes.push(...(await listChanges(repository, attempt)));
  }
  if (conflicts.length > 0) return conflicts;
  const tree = await repository.createTree(tipCommit.tree, changes);
  const note = buildCandidateNote(state, action.chunks);
  const commit = await repository.createCommit({ tree, parents: [tip, ...heads], message: formatCommitMessage(note) });
  const branch = formatBranch({ kind: "candidate", run: state.run.run, hash });
  const existing = await makeBranch(repository, branch, commit);
  const created: Fact = { kind: "CandidateCreated", hash, commit: existing, tree, base: tip, chunks: action.chunks };
  if (existing === commit) return [created];
  // A crash after the branch was made. Its name says what it is made of; its tree must agree.
  const made = await repository.loadCommit(existing);
  if (made.tree !== tree)
    throw new GitHubFailure(
      "misconfigured",
      `The branch \`${branch}\` holds another tree than it should: somebody pushed to it. Delete it, and it is made anew.`,
    );
  return [created];
}

type Paths = ReadonlyMap<string, TreeEntry>;

async function loadPaths(repository: RepositoryPort, tree: Sha): Promise<Paths> {
  const entries = await repository.loadTree(tree);
  if (entries === null)
    throw new GitHubFailure("misconfigured", "GitHub does not list the whole tree in one answer: it is too large.");
  return new Map(entries.filter((entry) => entry.type !== "tree").map((entry) => [entry.path, entry]));
}

async function findConflicts(
  repository: RepositoryPort,
  attempt: AttemptState,
  now: Paths,
): Promise<readonly string[]> {
  const base = await repository.loadCommit(attempt.base);
  const before = await loadPaths(repository, base.tree);
  return attempt.files
    .map((file) => file.path)
    .filter((path) => before.get(path)?.sha !== now.get(path)?.sha || before.get(path)?.mode !== now.get(path)?.mode);
}

/** The change set as blobs that exist already: those of the verified head. */
async function listChanges(repository: RepositoryPort, attempt: AttemptState): Promise<readonly TreeChange[]> {
  if (attempt.tree === null) return [];
  const after = await loadPaths(repository, attempt.tree);
  return attempt.files.map(({ path }): TreeChange => {
    const entry = after.get(path);
    if (entry === undefined) return { path, sha: null };
    if (entry.mode === "160000" || entry.mode === "040000") throw new Error(`${path} is no file`);
    return { path, mode: entry.mode, sha: entry.sha };
  });
}
