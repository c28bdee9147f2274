import { GitHubFailure } from "../contracts/errors.ts";
import { parseSha, type Sha } from "../contracts/ids.ts";
import { loadComparison } from "./load-comparison.ts";
import type { RepositoryPort, TreeChange, TreeEntry } from "./port.ts";
import type { RepositoryClient } from "./repository-client.ts";

type GitData = Pick<
  RepositoryPort,
  "loadCommit" | "loadTree" | "loadBlob" | "loadComparison" | "createBlob" | "createTree" | "createCommit"
>;

/** Objects by name: immutable, so that reading and writing them again is harmless. */
export function createGitData(client: RepositoryClient): GitData {
  return {
    async loadCommit(sha) {
      const answer = await client.find(
        "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
        { commit_sha: sha },
        { patience: "always" },
      );
      if (answer === null) throw missing("commit", sha);
      const { data } = answer;
      return {
        sha: parseSha(data.sha),
        tree: parseSha(data.tree.sha),
        parents: data.parents.map((parent) => parseSha(parent.sha)),
        message: data.message,
      };
    },
    async loadTree(sha) {
      const answer = await client.find(
        "GET /repos/{owner}/{repo}/git/trees/{tree_sha}",
        { tree_sha: sha, recursive: "1" },
        { patience: "always" },
      );
      if (answer === null) throw missing("tree", sha);
      return answer.data.truncated ? null : answer.data.tree.map(parseEntry);
    },
    async loadBlob(sha) {
      const answer = await client.find(
        "GET /repos/{owner}/{repo}/git/blobs/{file_sha}",
        { file_sha: sha },
        { patience: "always" },
      );
      if (answer === null) throw missing("blob", sha);
      const { content, encoding } = answer.data;
      return new Uint8Array(Buffer.from(content, encoding === "base64" ? "base64" : "utf8"));
    },
    loadComparison: (base, head) => loadComparison(client, base, head),
    async createBlob(content) {
      const { data } = await client.send("POST /repos/{owner}/{repo}/git/blobs", {
        content: Buffer.from(content).toString("base64"),
        encoding: "base64",
      });
      return parseSha(data.sha);
    },
    async createTree(base, changes) {
      const { data } = await client.send("POST /repos/{owner}/{repo}/git/trees", {
        ...(base === null ? {} : { base_tree: base }),
        tree: changes.map(formatChange),
      });
      return parseSha(data.sha);
    },
    async createCommit({ tree, parents, message }) {
      // No author: GitHub then signs the commit as the App's.
      const { data } = await client.send("POST /repos/{owner}/{repo}/git/commits", { message, tree, parents });
      return parseSha(data.sha);
    },
  };
}

function missing(kind: string, sha: Sha): GitHubFailure {
  return new GitHubFailure("conflict", `GitHub does not know the ${kind} ${sha}.`, { status: 404 });
}

function parseEntry(entry: {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
}): TreeEntry {
  // Git knows no other modes and types (git-scm.com/book/en/v2/Git-Internals-Git-Objects).
  return {
    path: entry.path,
    mode: entry.mode as TreeEntry["mode"],
    type: entry.type as TreeEntry["type"],
    sha: parseSha(entry.sha),
  };
}

function formatChange(change: TreeChange) {
  if ("content" in change) return { path: change.path, mode: change.mode, type: "blob", content: change.content };
  // `sha: null` deletes; the mode is then only asked for by the schema.
  if (change.sha === null) return { path: change.path, mode: "100644", type: "blob", sha: null };
  return { path: change.path, mode: change.mode, type: "blob", sha: change.sha };
}
