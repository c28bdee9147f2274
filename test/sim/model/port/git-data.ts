import { GitHubFailure } from "../../../../src/contracts/errors.ts";
import type { Sha } from "../../../../src/contracts/ids.ts";
import type { RepositoryPort } from "../../../../src/github/port.ts";
import type { GitHubModel } from "../github-model.ts";
import { notFound } from "../not-found.ts";

type GitData = Pick<
  RepositoryPort,
  "loadCommit" | "loadTree" | "loadFile" | "loadBlob" | "loadComparison" | "createBlob" | "createTree" | "createCommit"
>;

export function createGitData(model: GitHubModel): GitData {
  const { git } = model;
  return {
    async loadCommit(sha) {
      const commit = git.findCommit(sha);
      if (commit === undefined) throw notFound(`commit ${sha}`);
      return { sha, tree: commit.tree, parents: commit.parents, message: commit.message };
    },
    async loadTree(sha) {
      const tree = git.findTree(sha);
      if (tree === undefined) throw notFound(`tree ${sha}`);
      return [...tree].map(([path, file]) => ({ path, mode: file.mode, type: "blob" as const, sha: file.sha }));
    },
    async loadFile(path, ref) {
      const sha = git.findCommit(ref as Sha) === undefined ? (model.refs.get(ref)?.now ?? null) : (ref as Sha);
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
      if (git.findCommit(base) === undefined || git.findCommit(head) === undefined) throw notFound("a commit");
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
      for (const parent of commit.parents) if (git.findCommit(parent) === undefined) throw notFound("a parent");
      return git.putCommit(commit, model.time.now());
    },
  };
}
