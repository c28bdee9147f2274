import { WEB_FLOW, buildSignature } from "../git/actor-signature.ts";
import { type Signature, readCommit, writeCommit } from "../git/commit-object.ts";
import { listCommits, mergeTrees } from "../git/history.ts";
import { readBranch } from "../git/refs.ts";
import { HttpProblem } from "../http-problem.ts";
import { changeRef } from "../refs/change-ref.ts";
import { checkWorkflowFiles, findViolatedRule } from "../refs/check-ref-rules.ts";
import { findPullIssue } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import type { NamedActor } from "../state/actor.ts";
import type { Pull } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { markMerged } from "./close-pull.ts";

type MergeMethod = "merge" | "squash" | "rebase";

export interface MergeRequest {
  readonly method: MergeMethod;
  readonly title: string | null;
  readonly message: string | null;
  /** The head the caller has seen. */
  readonly sha: string | null;
}

const METHOD_NAME: Readonly<Record<MergeMethod, string>> = {
  merge: "Merge commits are",
  squash: "Squash merges are",
  rebase: "Rebase merges are",
};

/**
 * 405 stands for a conflict as well as for policy; only the sentence tells them apart. 409 means that the
 * head has moved. https://docs.github.com/en/rest/pulls/pulls#merge-a-pull-request
 */
async function checkMergeable(repository: Repository, pull: Pull, request: MergeRequest): Promise<string> {
  if (findPullIssue(repository, pull).state !== "open") throw new HttpProblem(405, "Pull Request is not mergeable");
  if (pull.draft) throw new HttpProblem(405, "Pull Request is still a draft");
  if (request.sha !== null && request.sha !== pull.headSha) {
    throw new HttpProblem(409, "Head branch was modified. Review and try the merge again.");
  }
  if (!repository.allowedMergeMethods.has(request.method)) {
    throw new HttpProblem(405, `${METHOD_NAME[request.method]} not allowed on this repository.`);
  }
  const base = await readBranch(repository.git, pull.baseRef);
  if (base === null) throw new HttpProblem(405, "Pull Request is not mergeable");
  const rule = await findViolatedRule(repository, {
    name: `refs/heads/${pull.baseRef}`,
    before: base,
    after: pull.headSha,
  });
  if (rule?.type === "required_status_checks") {
    throw new HttpProblem(405, `Required status check "${rule.contexts?.[0]?.context ?? ""}" is expected.`);
  }
  if (rule?.type === "pull_request" && countApprovals(repository, pull) < (rule.requiredApprovals ?? 0)) {
    throw new HttpProblem(
      405,
      `At least ${rule.requiredApprovals} approving review is required by reviewers with write access.`,
    );
  }
  return base;
}

function countApprovals(repository: Repository, pull: Pull): number {
  const author = findPullIssue(repository, pull).author.id;
  const latest = new Map<number, string>();
  for (const review of repository.reviews.values()) {
    // A later COMMENT does not supersede an approval.
    if (review.pullNumber !== pull.number || review.state === "COMMENTED" || review.author.id === author) continue;
    latest.set(review.author.id, review.state);
  }
  return [...latest.values()].filter((state) => state === "APPROVED").length;
}

async function defaultMessage(repository: Repository, pull: Pull, method: MergeMethod): Promise<string> {
  const issue = findPullIssue(repository, pull);
  if (method !== "squash") {
    return `Merge pull request #${pull.number} from ${repository.owner.login}/${pull.headRef}\n\n${issue.title}`;
  }
  const commits = await listCommits(repository.git, pull.baseSha, pull.headSha);
  const only = commits.length === 1 ? commits[0] : undefined;
  const title = only === undefined ? issue.title : (only.message.split("\n")[0] ?? issue.title);
  const rest =
    repository.squashMessage === "BLANK"
      ? ""
      : repository.squashMessage === "PR_BODY"
        ? (issue.body ?? "")
        : only === undefined
          ? commits.map((commit) => `* ${commit.message}`).join("\n\n")
          : only.message.split("\n").slice(1).join("\n").trim();
  return `${title} (#${pull.number})${rest === "" ? "" : `\n\n${rest}`}`;
}

async function rebaseCommits(repository: Repository, pull: Pull, base: string, committer: Signature): Promise<string> {
  const { git } = repository;
  let tip = base;
  for (const commit of await listCommits(git, base, pull.headSha)) {
    if (commit.parents.length > 1) continue;
    // Replaying onto a tip whose merge base is the commit's parent is a three-way merge.
    const merge = await mergeTrees(git, tip, commit.sha);
    if (merge.outcome === "conflict") throw new HttpProblem(405, "This branch can't be rebased");
    tip = await writeCommit(git, {
      tree: merge.tree,
      parents: [tip],
      author: commit.author,
      committer,
      message: commit.message,
    });
  }
  return tip;
}

/** Merges a pull request and returns the resulting commit. */
export async function mergePull(
  services: Services,
  repository: Repository,
  pull: Pull,
  actor: NamedActor,
  request: MergeRequest,
): Promise<string> {
  const { git } = repository;
  const base = await checkMergeable(repository, pull, request);
  // Whoever merges before GitHub knows whether it can be is refused like everybody who has a conflict.
  // https://github.com/bobvanderlinden/probot-auto-merge/pull/256
  if (pull.mergeability.state === "unknown" && services.faults.isHeld("mergeability")) {
    throw new HttpProblem(405, "Pull Request is not mergeable");
  }
  const merge = await mergeTrees(git, base, pull.headSha);
  if (merge.outcome === "conflict") throw new HttpProblem(405, "Pull Request is not mergeable");
  const at = services.world.now();
  const author = buildSignature(actor.account, at);
  const committer = { ...WEB_FLOW, at };
  const standard = await defaultMessage(repository, pull, request.method);
  const title = request.title ?? standard.split("\n")[0] ?? "";
  const message = request.message ?? standard.split("\n").slice(2).join("\n");
  const sha =
    request.method === "rebase"
      ? await rebaseCommits(repository, pull, base, committer)
      : await writeCommit(git, {
          tree: merge.tree,
          parents: request.method === "merge" ? [base, pull.headSha] : [base],
          author,
          committer,
          message: message === "" ? title : `${title}\n\n${message}`,
        });
  const change = { name: `refs/heads/${pull.baseRef}`, before: base, after: sha };
  await checkWorkflowFiles(repository, actor, change);
  const written = await changeRef(services, repository, actor, change);
  if (!written.ok) throw new HttpProblem(405, "Base branch was modified. Review and try the merge again.");
  repository.signedCommits.add(sha);
  await markMerged(services, repository, pull, { sender: actor.account, commitSha: sha });
  const head = await readCommit(git, `refs/heads/${pull.headRef}`);
  if (repository.deleteBranchOnMerge && head?.sha === pull.headSha) {
    await changeRef(services, repository, actor, { name: `refs/heads/${pull.headRef}`, before: head.sha, after: null });
  }
  return sha;
}
