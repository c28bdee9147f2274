import { GitHubFailure } from "../../../../src/contracts/errors.ts";
import type { Sha } from "../../../../src/contracts/ids.ts";
import type { RepositoryPort } from "../../../../src/github/port.ts";
import { setRef } from "../branches.ts";
import type { GitHubModel } from "../github-model.ts";
import { APP } from "../identities.ts";
import type { Lag } from "./lag.ts";

type Branches = Pick<
  RepositoryPort,
  "loadBranch" | "loadBranches" | "createBranch" | "updateBranch" | "mergeIntoBranch" | "deleteBranch"
>;

export function createBranches(model: GitHubModel, lag: Lag): Branches {
  const { git } = model;
  const isSeen = (sha: Sha, method: string): boolean =>
    (git.findCommit(sha)?.at ?? Number.POSITIVE_INFINITY) <= model.time.now() - lag(method);
  return {
    async loadBranch(branch) {
      return model.refs.get(branch)?.at(model.time.now() - lag("loadBranch")) ?? null;
    },
    async loadBranches(prefix) {
      const at = model.time.now() - lag("loadBranches");
      return [...model.refs].flatMap(([name, ref]) =>
        name.startsWith(prefix) && (ref.at(at) ?? null) !== null ? [name] : [],
      );
    },
    async createBranch(branch, sha) {
      if (!isSeen(sha, "createBranch")) throw unseen();
      if (model.head(branch) === null) {
        refuseWorkflowChange(model, null, sha);
        setRef(model, branch, sha, APP);
        return;
      }
      // As the real port does it: what is there already is read, and a replica may answer.
      if (model.refs.get(branch)?.at(model.time.now() - lag("loadBranch")) === sha) return;
      throw new GitHubFailure("conflict", "The branch exists already. GitHub says: Reference already exists", {
        status: 422,
      });
    },
    async updateBranch(branch, sha) {
      const head = model.head(branch);
      if (head === null)
        throw new GitHubFailure("conflict", "It is gone. GitHub says: Reference does not exist", { status: 422 });
      if (!isSeen(sha, "updateBranch")) throw unseen();
      if (!git.isAncestor(head, sha))
        throw new GitHubFailure("conflict", "The branch has moved. GitHub says: Update is not a fast forward", {
          status: 422,
        });
      if (model.protectedBranches.has(branch))
        throw new GitHubFailure(
          "misconfigured",
          "A rule or branch protection forbids it. GitHub says: protected branch",
          { status: 422 },
        );
      refuseWorkflowChange(model, head, sha);
      if (head !== sha) setRef(model, branch, sha, APP);
    },
    async mergeIntoBranch(branch, from, message) {
      const head = model.head(branch);
      const known = model.refs.get(branch)?.at(model.time.now() - lag("loadBranch")) ?? null;
      // As the real port says it, also of a branch that was made a moment ago.
      if (head === null || known === null)
        throw new GitHubFailure("transient", "GitHub does not find it (any more): Base does not exist", {
          status: 404,
        });
      if (git.isAncestor(from, head)) return null;
      const merged = git.merge(head, from);
      if ("conflicts" in merged)
        throw new GitHubFailure("conflict", "It cannot be merged as it stands. GitHub says: Merge conflict", {
          status: 409,
        });
      const commit = git.putCommit({ tree: merged.tree, parents: [head, from], message }, model.time.now());
      setRef(model, branch, commit, APP);
      return commit;
    },
    async deleteBranch(branch) {
      if (model.head(branch) !== null) setRef(model, branch, null, APP);
    },
  };
}

/** Also of a commit that was made a moment ago. */
function unseen(): GitHubFailure {
  return new GitHubFailure("conflict", "It is gone. GitHub says: Object does not exist", { status: 422 });
}

/** An App without the workflows permission brings no workflow file that no branch has yet. */
function refuseWorkflowChange(model: GitHubModel, head: Sha | null, to: Sha): void {
  const known = new Set<string>();
  const branches = head === null ? [] : [head];
  for (const timeline of model.refs.values()) if (timeline.now !== null) branches.push(timeline.now);
  for (const commit of new Set(branches)) for (const key of listWorkflows(model, commit)) known.add(key);
  for (const key of listWorkflows(model, to))
    if (!known.has(key))
      throw new GitHubFailure(
        "misconfigured",
        "Taskfleet never changes workflow files. GitHub says: without `workflows` permission",
        { status: 403 },
      );
}

function listWorkflows(model: GitHubModel, commit: Sha): readonly string[] {
  const keys: string[] = [];
  for (const [path, file] of model.git.files(commit))
    if (path.startsWith(".github/workflows/")) keys.push(`${path} ${file.sha}`);
  return keys;
}
