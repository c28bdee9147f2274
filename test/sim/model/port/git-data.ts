import { GitHubFailure } from "../../../../src/contracts/errors.ts";
import type { Sha } from "../../../../src/contracts/ids.ts";
import type { RepositoryPort } from "../../../../src/github/port.ts";
import type { GitHubModel } from "../github-model.ts";
import { notFound } from "../not-found.ts";
import type { Lag } from "./lag.ts";

type GitData = Pick<
  RepositoryPort,
  "loadCommit" | "loadTree" | "loadFile" | "loadBlob" | "loadComparison" | "createBlob" | "createTree" | "createCommit"
>;

export function createGitData(model: GitHubModel, lag: Lag): GitData {
  const { git } = model;
  /** @param at the time (ms) up to which whatever answers has heard of pushes. */
  const isSeen = (sha: Sha, at: number): boolean => (git.findCommit(sha)?.at ?? Number.POSITIVE_INFINITY) <= at;
  return {
    async loadCommit(sha) {
      const commit = git.findCommit(sha);
      if (commit === undefined || !isSeen(sha, model.time.now() - lag("loadCommit"))) throw notFound(`commit ${sha}`);
      return { sha, tree: commit.tree, parents: commit.parents, message: commit.message };
    },
    async loadTree(sha) {
      const tree = git.findTree(sha);
      if (tree === undefined) throw notFound(`tree ${sha}`);
      return [...tree].map(([path, file]) => ({ path, mode: file.mode, type: "blob" as const, sha: file.sha }));
    },
    async loadFile(path, ref) {
      const at = model.time.now() - lag("loadFile");
      // Also of a branch that was made a moment ago (github.com/yontrack/yontrack/issues/1035).
      const named = git.findCommit(ref as Sha) === undefined ? (model.refs.get(ref)?.at(at) ?? null) : (ref as Sha);
      const sha = named !== null && isSeen(named, at) ? named : null;
      const file = sha === null ? undefined : git.files(sha).get(path);
      const text = file === undefined ? undefined : git.findBlob(file.sha);
      return file === undefined || text === undefined ? null : { sha: file.sha, text };
    },
    async loadBlob(sha) {
      const text = git.findBlob(sha);
      if (text === undefined) throw notFound(`blob ${sha}`);
      return new Uint8Array(Buffer.from(text, "utf8"));
    },
    async loadComparison(base, head) {
      const at = model.time.now() - lag("loadComparison");
      if (!isSeen(base, at) || !isSeen(head, at)) throw notFound("a commit");
      return git.compare(base, head);
    },
    async createBlob(content) {
      return git.putBlob(typeof content === "string" ? content : Buffer.from(content).toString("utf8"));
    },
    async createTree(base, changes) {
      const tree = git.changeTree(base, changes);
      if (tree === null)
        throw new GitHubFailure("conflict", "It is gone. GitHub says: tree sha does not exist", { status: 422 });
      return tree;
    },
    async createCommit(commit) {
      if (git.findTree(commit.tree) === undefined) throw notFound("the tree");
      const at = model.time.now() - lag("createCommit");
      for (const parent of commit.parents) if (!isSeen(parent, at)) throw notFound("a parent");
      return git.putCommit(commit, model.time.now());
    },
  };
}
