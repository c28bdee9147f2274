import { GitHubFailure } from "../../contracts/errors.ts";
import { formatCommitMessage } from "../../contracts/commit-message.ts";
import type { Sha } from "../../contracts/ids.ts";
import { formatBranch } from "../../contracts/names.ts";
import { formatCandidateHash } from "../../engine/derive/landing-queue.ts";
import type { Fact } from "../../engine/fact.ts";
import type { AcceptState } from "../../engine/state.ts";
import { buildAcceptMergeNote, buildAcceptNote } from "../../messages/accept-note.ts";
import { renderFeatureMerge } from "../../messages/feature-merge.ts";
import type { WorkOf } from "./work-of.ts";
import { loadTip } from "../observe/tip.ts";
import { ACCEPT_TRAILER, createAcceptTree, listAcceptParents } from "../own-commits/accept-commit.ts";
import type { RunSession } from "../run-session.ts";

/** The feature on the current source head: the tip itself when it contains it, otherwise a merge of both. */
export async function applyAccept(session: RunSession, action: WorkOf<"CreateAccept">): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const { n, tip } = action;
  const moved = await loadTip(session);
  if (moved.length > 0) return moved;
  const source = await repository.loadBranch(state.run.source);
  if (source === null)
    throw new GitHubFailure(
      "misconfigured",
      `The branch \`${state.run.source}\` is gone: the feature has nowhere to land.`,
    );
  const { status } = await repository.loadComparison(source, tip);
  if (status === "ahead" || status === "identical") {
    const { tree } = await repository.loadCommit(tip);
    return [{ kind: "AcceptCreated", n, source, tip, commit: tip, tree, branch: "" }];
  }
  const branch = formatBranch({ kind: "candidate", run: state.run.run, hash: formatCandidateHash(tip, [source]) });
  if ((await repository.loadBranch(branch)) === null) await repository.createBranch(branch, tip);
  let merged: Sha | null;
  try {
    merged = await repository.mergeIntoBranch(branch, source, formatCommitMessage(buildAcceptMergeNote(state)));
  } catch (error) {
    if (!(error instanceof GitHubFailure) || error.kind !== "conflict") throw error;
    // Nothing is verified on it, and nobody else knows of it.
    await repository.deleteBranch(branch);
    return [{ kind: "AcceptConflicted", n, source, message: error.message }];
  }
  const commit = merged ?? (await repository.loadBranch(branch));
  // A replica that lags behind does not know the branch yet, or not where it is: the tip does not hold the source.
  if (commit === null || commit === tip)
    throw new GitHubFailure("transient", `GitHub does not show yet where ${branch} is.`);
  const { tree } = await repository.loadCommit(commit);
  return [{ kind: "AcceptCreated", n, source, tip, commit, tree, branch }];
}

/** The commit the repository's own CI runs on: the accepted tree, without the trailer that skips checks. */
export async function applyCommitAccept(session: RunSession, action: WorkOf<"CommitAccept">): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const { n } = action;
  const accept = findAccept(session, n);
  const branch = formatBranch({ kind: "integration", run: state.run.run });
  const moved = await loadTip(session);
  if (moved.length > 0) return moved;
  const tree = await createAcceptTree(session, accept);
  const note = buildAcceptNote(state, n);
  const commit = await repository.createCommit({
    tree,
    parents: listAcceptParents(accept),
    message: formatCommitMessage({
      ...note,
      trailers: [...(note.trailers ?? []), [ACCEPT_TRAILER, `${n}`] as const],
      ci: "run",
    }),
  });
  await repository.updateBranch(branch, commit);
  return [{ kind: "AcceptCommitted", n, commit, tree }];
}

export async function applyMarkReady(session: RunSession, action: WorkOf<"MarkReady">): Promise<readonly Fact[]> {
  const pull = session.state.featurePull;
  if (pull === null) throw new Error("there is no feature pull request");
  const { draft } = await session.repository.loadPull(pull.number, "state");
  if (draft) await session.repository.markReady(pull.nodeId);
  return [{ kind: "FeatureReady", effect: action.key }];
}

/** Moves the source branch to the very commit that was verified; a pull request merge only where a rule demands one. */
export async function applyMergeFeature(session: RunSession, action: WorkOf<"MergeFeature">): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const { commit } = action;
  const source = await repository.loadBranch(state.run.source);
  if (source === null)
    throw new GitHubFailure(
      "misconfigured",
      `The branch \`${state.run.source}\` is gone: the feature has nowhere to land.`,
    );
  if (source === commit) return [{ kind: "FeatureMerged", commit, how: "fast-forward", verified: true }];
  const { method } = state.run.config.merge;
  const { status } = await repository.loadComparison(source, commit);
  if (status !== "ahead") {
    // A merge of ours whose answer was lost has moved it, too.
    const pull = state.featurePull === null ? null : await repository.loadPull(state.featurePull.number, "state");
    return pull?.merged === true
      ? mergeByPull(session, commit, method)
      : [{ kind: "SourceMoved", n: action.n, sha: source }];
  }
  if (method === "squash") return mergeByPull(session, commit, method);
  try {
    await repository.updateBranch(state.run.source, commit);
  } catch (error) {
    if (!(error instanceof GitHubFailure)) throw error;
    if (error.kind === "conflict") {
      const now = await repository.loadBranch(state.run.source);
      return now === null ? [] : [{ kind: "SourceMoved", n: action.n, sha: now }];
    }
    // A protected branch takes a pull request only.
    if (error.kind === "misconfigured" || error.kind === "terminal") return mergeByPull(session, commit, method);
    throw error;
  }
  return [{ kind: "FeatureMerged", commit, how: "fast-forward", verified: true }];
}

async function mergeByPull(session: RunSession, sha: Sha, method: "merge" | "squash"): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const pull = state.featurePull;
  if (pull === null) throw new Error("there is no feature pull request");
  const now = await repository.loadPull(pull.number);
  const merged = now.merged
    ? now.mergeCommit
    : await repository.mergePull(pull.number, { sha, method, ...renderFeatureMerge(state) });
  if (merged === null) throw new GitHubFailure("transient", "GitHub does not say yet which commit the merge made");
  const verified = (await repository.loadCommit(merged)).tree === (await repository.loadCommit(sha)).tree;
  return [{ kind: "FeatureMerged", commit: merged, how: "pull", verified }];
}

function findAccept(session: RunSession, n: number): AcceptState {
  const accept = session.state.accepts.find((entry) => entry.n === n);
  if (accept === undefined) throw new Error(`acceptance ${n} is unknown`);
  return accept;
}
