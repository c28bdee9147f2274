import type { Comment, Issue, Labeling, RepositoryPort } from "./port.ts";
import { GitHubFailure } from "../contracts/errors.ts";
import { loadPages } from "./load-pages.ts";
import { type Author, parseActor } from "./parse-actor.ts";
import type { RepositoryClient } from "./repository-client.ts";

type Issues = Pick<
  RepositoryPort,
  "loadIssue" | "loadLabeledIssues" | "loadLabeling" | "loadComments" | "createComment" | "updateComment" | "closeIssue"
>;

/**
 * The time of a comment's last change may be a second after its creation though nobody edited it
 * (github.com/palantir/policy-bot/pull/459). Hiding a comment counts as a change, too
 * (github.com/kurone-kito/idd-skill/issues/3173): in doubt it was edited.
 */
const creationMs = 1_000;

/** @param isOwn tells whether a comment's author is our App. */
export function createIssues(client: RepositoryClient, isOwn: (author: Author) => Promise<boolean>): Issues {
  async function loadIssue(number: number): Promise<Issue | null> {
    try {
      const answer = await client.find(
        "GET /repos/{owner}/{repo}/issues/{issue_number}",
        { issue_number: number },
        { conditional: true, patience: "always" },
      );
      return answer === null || !(await isHere(client, number, answer.data)) ? null : parseIssue(answer.data);
    } catch (error) {
      // 410: deleted for good.
      if (error instanceof GitHubFailure && error.details.status === 410) return null;
      throw error;
    }
  }

  return {
    loadIssue,
    async loadLabeledIssues(label, since) {
      const pages = await loadPages(client, "GET /repos/{owner}/{repo}/issues", {
        labels: label,
        state: "open",
        ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
      });
      // A pull request is an issue, too (docs.github.com/en/rest/issues/issues#list-repository-issues).
      return pages.flatMap((page) => page.data.flatMap((one) => (one.pull_request === undefined ? [one.number] : [])));
    },
    loadLabeling: (issue, label) => loadLabeling(client, issue, label),
    async loadComments(issue, since) {
      const pages = await loadPages(
        client,
        "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
        { issue_number: issue, ...(since === undefined ? {} : { since: new Date(since).toISOString() }) },
        { conditional: true },
      );
      const comments: Comment[] = [];
      for (const comment of pages.flatMap((page) => page.data)) {
        comments.push({
          id: comment.id,
          body: comment.body ?? "",
          author: parseActor(comment.user),
          own: await isOwn(comment.user),
          createdAt: Date.parse(comment.created_at),
          edited: Date.parse(comment.updated_at) - Date.parse(comment.created_at) > creationMs,
          url: comment.html_url,
        });
      }
      return comments.sort((a, b) => a.id - b.id);
    },
    async createComment(issue, body) {
      const { data } = await client.send("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        issue_number: issue,
        body,
      });
      return { id: data.id, url: data.html_url };
    },
    async updateComment(id, body) {
      await client.send("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", { comment_id: id, body });
    },
    async closeIssue(issue) {
      try {
        await client.send("PATCH /repos/{owner}/{repo}/issues/{issue_number}", {
          issue_number: issue,
          state: "closed",
        });
      } catch (error) {
        if (!(error instanceof GitHubFailure) || error.kind !== "conflict") throw error;
        if ((await loadIssue(issue)) !== null) throw error;
      }
    },
  };
}

/**
 * A request for an issue that was transferred is redirected to the issue it has become, in another repository
 * (docs.github.com/en/rest/issues/issues#get-an-issue): not what was asked for, and for other people to change.
 */
async function isHere(
  client: RepositoryClient,
  number: number,
  issue: { readonly number: number; readonly repository_url?: string },
): Promise<boolean> {
  if (issue.number !== number) return false;
  const { owner, repo } = client.address();
  if (issue.repository_url === undefined || isOf(issue.repository_url, `${owner}/${repo}`)) return true;
  // Renamed, or the same number elsewhere.
  const { data } = await client.loadById();
  return isOf(issue.repository_url, data.full_name);
}

function isOf(url: string, fullName: string): boolean {
  return url.toLowerCase().endsWith(`/repos/${fullName.toLowerCase()}`);
}

/** Events come oldest first; labels are compared without case, as GitHub does. */
async function loadLabeling(client: RepositoryClient, issue: number, label: string): Promise<Labeling | null> {
  const pages = await loadPages(client, "GET /repos/{owner}/{repo}/issues/{issue_number}/events", {
    issue_number: issue,
  });
  const found = pages
    .flatMap((page) => page.data)
    .findLast(
      (event) =>
        event.event === "labeled" && "label" in event && event.label?.name?.toLowerCase() === label.toLowerCase(),
    );
  return found === undefined ? null : { by: parseActor(found.actor), at: Date.parse(found.created_at) };
}

function parseIssue(data: {
  readonly number: number;
  readonly title: string;
  readonly body?: string | null;
  readonly state: string;
  readonly locked: boolean;
  readonly labels: ReadonlyArray<string | { readonly name?: string | null }>;
  readonly user: Author;
  readonly pull_request?: object;
  readonly updated_at: string;
  readonly html_url: string;
}): Issue {
  return {
    number: data.number,
    title: data.title,
    body: data.body ?? "",
    state: data.state === "open" ? "open" : "closed",
    locked: data.locked,
    labels: data.labels.map((label) => (typeof label === "string" ? label : (label.name ?? ""))),
    author: parseActor(data.user),
    pullRequest: data.pull_request !== undefined,
    updatedAt: Date.parse(data.updated_at),
    url: data.html_url,
  };
}
