import { changeSetSchema, type ChangeEntry, type ChangeSet } from "../../contracts/change-set.ts";
import { formatCommitMessage, parseTrailer } from "../../contracts/commit-message.ts";
import { GitHubFailure } from "../../contracts/errors.ts";
import type { ChunkId, Sha } from "../../contracts/ids.ts";
import { formatBranch } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import type { AttemptState, RunState } from "../../engine/state.ts";
import type { RepositoryPort, TreeChange } from "../../github/port.ts";
import { buildAttemptNote } from "../../messages/attempt-note.ts";
import type { WorkOf } from "./work-of.ts";
import { isOurs, readPush } from "../observe/observe-chunk-branch.ts";
import type { RunSession } from "../run-session.ts";
import { findRow } from "../../engine/table.ts";

/**
 * Commits a change set on the chunk's branch: the tree is the attempt's base with the change set
 * applied; its parents are the branch's head (former attempts stay in the history) and the base. The
 * branch is taken to be where we left it: it moves by a non-forced update, so where it is not (a person's
 * push, a former try of this very action) GitHub refuses, and only then it is looked at. What a person has pushed is
 * their attempt, whether a webhook told of it or not: nothing is committed over it.
 */
export async function applyChangeSet(session: RunSession, action: WorkOf<"CommitChangeSet">): Promise<readonly Fact[]> {
  const { state, repository, fleet } = session;
  const { chunk, attempt: n } = action;
  const entry = findRow(state.chunks, chunk);
  const attempt = entry?.attempts.find((one) => one.n === n);
  if (entry === undefined || attempt === undefined || attempt.document === null)
    throw new Error(`attempt ${n} of ${chunk} has no change set`);
  const branch = formatBranch({ kind: "chunk", run: state.run.run, chunk });
  const text = await fleet.store.loadDocument(attempt.document);
  if (text === null) throw new Error(`the change set ${attempt.document} is not in the store`);
  const changeSet = changeSetSchema.parse(JSON.parse(text));
  const base = await repository.loadCommit(attempt.base);
  const tree = await repository.createTree(base.tree, await buildTreeChanges(repository, changeSet));
  const message = formatCommitMessage(buildAttemptNote(state, chunk, n));
  const commitOn = async (head: Sha | null): Promise<readonly Fact[]> => {
    const parents = await deriveParents(session, head, attempt.base);
    const commit = await repository.createCommit({ tree, parents, message });
    if (head === null) await repository.createBranch(branch, commit);
    else await repository.updateBranch(branch, commit);
    return [{ kind: "ChangeSetCommitted", chunk, attempt: n, head: commit, tree }];
  };
  const left = findLeftHead(state, chunk, attempt);
  try {
    return await commitOn(left);
  } catch (error) {
    if (!(error instanceof GitHubFailure) || error.kind !== "conflict") throw error;
  }
  const head = await repository.loadBranch(branch);
  if (head === null) return commitOn(head);
  const found = await repository.loadCommit(head);
  if (isAttempt(found.message, state.run.run, `${chunk}/${n}`)) {
    // A crash after the ref moved: the commit says which attempt it is, and holds just its tree. With another tree
    // somebody has amended it.
    if (found.tree === tree) return [{ kind: "ChangeSetCommitted", chunk, attempt: n, head, tree }];
  } else if (isOurs(state, entry, found.message, null)) return commitOn(head);
  const pushed = await readPush(session, chunk, head, null);
  return pushed.length > 0 ? pushed : commitOn(head);
}

/** Where the branch was left: at the last commit of an earlier attempt, else where it was made for this one. */
function findLeftHead(state: RunState, chunk: ChunkId, attempt: AttemptState): Sha {
  const earlier = findRow(state.chunks, chunk)?.attempts.filter((entry) => entry.n < attempt.n) ?? [];
  return earlier.findLast((entry) => entry.head !== null)?.head ?? attempt.base;
}

function isAttempt(message: string, run: string, attempt: string): boolean {
  return parseTrailer(message, "Taskfleet-Run") === run && parseTrailer(message, "Taskfleet-Attempt") === attempt;
}

async function deriveParents(session: RunSession, head: Sha | null, base: Sha): Promise<readonly Sha[]> {
  if (head === null || head === base) return [base];
  const comparison = await session.repository.loadComparison(base, head);
  // The branch contains the base already: its head alone is the parent.
  return comparison.status === "ahead" || comparison.status === "identical" ? [head] : [head, base];
}

async function buildTreeChanges(repository: RepositoryPort, changeSet: ChangeSet): Promise<readonly TreeChange[]> {
  const changes: TreeChange[] = [];
  for (const entry of changeSet.entries) changes.push(await buildTreeChange(repository, entry));
  return changes;
}

async function buildTreeChange(repository: RepositoryPort, entry: ChangeEntry): Promise<TreeChange> {
  if (entry.kind === "delete") return { path: entry.path, sha: null };
  if (entry.mode === "160000") throw new Error("a submodule passed the merge guard");
  if (entry.mode !== "120000" && entry.encoding === "utf-8")
    return { path: entry.path, mode: entry.mode, content: entry.content };
  const bytes = Buffer.from(entry.content, entry.encoding === "base64" ? "base64" : "utf8");
  return { path: entry.path, mode: entry.mode, sha: await repository.createBlob(bytes) };
}
