import type { Role } from "../state/account.ts";
import { roleIncludes } from "../state/account.ts";
import { formatNodeId } from "../state/ids.ts";
import { formatFullName, type Repository } from "../state/repository.ts";
import { formatTime, type Schema, type Urls } from "../view.ts";
import { serializeAccount } from "./serialize-account.ts";

/** The repository's address in the API. */
export function formatRepositoryUrl(urls: Urls, repository: Repository): string {
  return `${urls.api}/repos/${formatFullName(repository)}`;
}

/** The repository's page. */
export function formatRepositoryPage(urls: Urls, repository: Repository): string {
  return `${urls.html}/${formatFullName(repository)}`;
}

function buildTemplates(url: string) {
  return {
    archive_url: `${url}/{archive_format}{/ref}`,
    assignees_url: `${url}/assignees{/user}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    comments_url: `${url}/comments{/number}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    contributors_url: `${url}/contributors`,
    deployments_url: `${url}/deployments`,
    downloads_url: `${url}/downloads`,
    events_url: `${url}/events`,
    forks_url: `${url}/forks`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    hooks_url: `${url}/hooks`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    issues_url: `${url}/issues{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    languages_url: `${url}/languages`,
    merges_url: `${url}/merges`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    pulls_url: `${url}/pulls{/number}`,
    releases_url: `${url}/releases{/id}`,
    stargazers_url: `${url}/stargazers`,
    statuses_url: `${url}/statuses/{sha}`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    tags_url: `${url}/tags`,
    teams_url: `${url}/teams`,
    trees_url: `${url}/git/trees{/sha}`,
  };
}

function buildRepository(urls: Urls, repository: Repository) {
  const url = formatRepositoryUrl(urls, repository);
  const page = formatRepositoryPage(urls, repository);
  const openIssues = [...repository.issues.values()].filter((issue) => issue.state === "open").length;
  return {
    id: repository.id,
    node_id: formatNodeId("R", repository.id),
    name: repository.name,
    full_name: formatFullName(repository),
    owner: serializeAccount(urls, repository.owner),
    private: repository.private,
    visibility: repository.private ? "private" : "public",
    html_url: page,
    description: repository.description,
    fork: false,
    url,
    ...buildTemplates(url),
    git_url: `${page.replace(/^https?:/, "git:")}.git`,
    ssh_url: `git@localhost:${formatFullName(repository)}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    size: 0,
    default_branch: repository.defaultBranch,
    open_issues: openIssues,
    open_issues_count: openIssues,
    topics: [],
    is_template: false,
    has_issues: true,
    has_projects: true,
    has_wiki: false,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived: repository.archived,
    disabled: false,
    allow_forking: true,
    web_commit_signoff_required: false,
    created_at: formatTime(repository.createdAt),
    updated_at: formatTime(repository.pushedAt),
    pushed_at: formatTime(repository.pushedAt),
  };
}

/** https://docs.github.com/en/rest/repos/repos#get-a-repository, as other objects and webhooks embed it. */
export function serializeRepository(urls: Urls, repository: Repository): Schema<"repository"> {
  return buildRepository(urls, repository);
}

/** The form that runs, suites and combined statuses embed. */
export function serializeMinimalRepository(urls: Urls, repository: Repository): Schema<"minimal-repository"> {
  return buildRepository(urls, repository);
}

/** The full answer of GET /repos/{owner}/{repo}: with the caller's rights and the merge settings. */
export function serializeFullRepository(
  urls: Urls,
  repository: Repository,
  role: Role | null,
): Schema<"full-repository"> {
  return {
    ...buildRepository(urls, repository),
    network_count: 0,
    subscribers_count: 0,
    organization: serializeAccount(urls, repository.owner),
    allow_merge_commit: repository.allowedMergeMethods.has("merge"),
    allow_squash_merge: repository.allowedMergeMethods.has("squash"),
    allow_rebase_merge: repository.allowedMergeMethods.has("rebase"),
    allow_auto_merge: false,
    allow_update_branch: false,
    delete_branch_on_merge: repository.deleteBranchOnMerge,
    squash_merge_commit_title: "COMMIT_OR_PR_TITLE",
    squash_merge_commit_message: repository.squashMessage,
    merge_commit_title: "MERGE_MESSAGE",
    merge_commit_message: "PR_TITLE",
    permissions: {
      admin: roleIncludes(role, "admin"),
      maintain: roleIncludes(role, "maintain"),
      push: roleIncludes(role, "write"),
      triage: roleIncludes(role, "triage"),
      pull: roleIncludes(role, "read"),
    },
  };
}
