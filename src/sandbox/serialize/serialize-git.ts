import type { Commit, Signature } from "../git/commit-object.ts";
import type { FileDiff } from "../git/diff.ts";
import type { Ref } from "../git/refs.ts";
import { formatNodeId } from "../state/ids.ts";
import type { Account } from "../state/account.ts";
import type { Repository } from "../state/repository.ts";
import { formatTime, type Schema, type Urls, type View } from "../view.ts";
import { serializeAccount } from "./serialize-account.ts";
import { formatRepositoryPage, formatRepositoryUrl } from "./serialize-repository.ts";

const OBJECT_FOLDER = { commit: "commits", tag: "tags", tree: "trees", blob: "blobs" } as const;

export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/** https://docs.github.com/en/rest/git/refs#get-a-reference */
export function serializeRef(urls: Urls, repository: Repository, ref: Ref): Schema<"git-ref"> {
  const root = `${formatRepositoryUrl(urls, repository)}/git`;
  return {
    ref: ref.name,
    node_id: formatNodeId("REF", `${repository.id}:${ref.name}`),
    url: `${root}/${encodePath(ref.name)}`,
    object: { sha: ref.sha, type: ref.type, url: `${root}/${OBJECT_FOLDER[ref.type]}/${ref.sha}` },
  };
}

function serializeSignature(signature: Signature) {
  return { name: signature.name, email: signature.email, date: formatTime(signature.at) };
}

function buildVerification(repository: Repository, commit: Commit): Schema<"verification"> {
  // Commits a bot makes without naming an author are signed by GitHub.
  // https://docs.github.com/en/authentication/managing-commit-signature-verification/about-commit-signature-verification#signature-verification-for-bots
  return repository.signedCommits.has(commit.sha)
    ? {
        verified: true,
        reason: "valid",
        signature: "-----BEGIN PGP SIGNATURE-----\n\nsandbox\n-----END PGP SIGNATURE-----\n",
        payload: `tree ${commit.tree}\n`,
        verified_at: formatTime(commit.committer.at),
      }
    : { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null };
}

/** https://docs.github.com/en/rest/git/commits#get-a-commit-object */
export function serializeGitCommit(urls: Urls, repository: Repository, commit: Commit): Schema<"git-commit"> {
  const root = `${formatRepositoryUrl(urls, repository)}/git`;
  const page = formatRepositoryPage(urls, repository);
  return {
    sha: commit.sha,
    node_id: formatNodeId("C", `${repository.id}:${commit.sha}`),
    url: `${root}/commits/${commit.sha}`,
    html_url: `${page}/commit/${commit.sha}`,
    author: serializeSignature(commit.author),
    committer: serializeSignature(commit.committer),
    message: commit.message,
    tree: { sha: commit.tree, url: `${root}/trees/${commit.tree}` },
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${root}/commits/${sha}`,
      html_url: `${page}/commit/${sha}`,
    })),
    verification: buildVerification(repository, commit),
  };
}

/** The account behind a commit's e-mail: `ID+login@users.noreply.github.com`. */
function findCommitAccount(view: View, signature: Signature): Account | null {
  const found = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(signature.email);
  return found === null ? null : view.world.findAccount(found[1] ?? "");
}

/** https://docs.github.com/en/rest/commits/commits#get-a-commit, without files. */
export function serializeCommit(view: View, repository: Repository, commit: Commit): Schema<"commit"> {
  const root = formatRepositoryUrl(view.urls, repository);
  const page = formatRepositoryPage(view.urls, repository);
  const url = `${root}/commits/${commit.sha}`;
  const author = findCommitAccount(view, commit.author);
  const committer = findCommitAccount(view, commit.committer);
  return {
    sha: commit.sha,
    node_id: formatNodeId("C", `${repository.id}:${commit.sha}`),
    url,
    html_url: `${page}/commit/${commit.sha}`,
    comments_url: `${url}/comments`,
    commit: {
      url: `${root}/git/commits/${commit.sha}`,
      author: serializeSignature(commit.author),
      committer: serializeSignature(commit.committer),
      message: commit.message,
      comment_count: 0,
      tree: { sha: commit.tree, url: `${root}/git/trees/${commit.tree}` },
      verification: buildVerification(repository, commit),
    },
    author: author === null ? null : serializeAccount(view.urls, author),
    committer: committer === null ? null : serializeAccount(view.urls, committer),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${root}/commits/${sha}`,
      html_url: `${page}/commit/${sha}`,
    })),
  };
}

/** https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files; `patch` is absent for binary files. */
export function serializeFile(
  urls: Urls,
  repository: Repository,
  revision: string,
  file: FileDiff,
): Schema<"diff-entry"> {
  const page = formatRepositoryPage(urls, repository);
  const path = encodePath(file.path);
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${page}/blob/${revision}/${path}`,
    raw_url: `${page}/raw/${revision}/${path}`,
    contents_url: `${formatRepositoryUrl(urls, repository)}/contents/${path}?ref=${revision}`,
    ...(file.patch === null ? {} : { patch: file.patch }),
    ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
  };
}
