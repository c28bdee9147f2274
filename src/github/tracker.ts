/**
 * Sub-issues and dependencies: docs.github.com/en/rest/issues/sub-issues, …/issue-dependencies. A parent has at most
 * 100 sub-issues (docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/adding-sub-issues), the closed
 * ones counted (github.com/orgs/community/discussions/207865).
 */
import { GitHubFailure } from "../contracts/errors.ts";
import { loadPages } from "./load-pages.ts";
import type { Author } from "./parse-actor.ts";
import type { SubIssue, TrackerPort } from "./tracker-port.ts";
import type { RepositoryClient } from "./repository-client.ts";

/** @param isOwn tells whether an issue's author is our App. @param loadLogin what our App writes as. */
export function createTracker(
  client: RepositoryClient,
  isOwn: (author: Author) => Promise<boolean>,
  loadLogin: () => Promise<string>,
): TrackerPort {
  const parse = async (data: {
    readonly id: number;
    readonly number: number;
    readonly title: string;
    readonly body?: string | null;
    readonly state: string;
    readonly user: Author;
  }): Promise<SubIssue> => ({
    id: data.id,
    number: data.number,
    title: data.title,
    body: data.body ?? "",
    state: data.state === "open" ? "open" : "closed",
    own: await isOwn(data.user),
  });
  const attachSubIssue: TrackerPort["attachSubIssue"] = (parent, id) =>
    orThere(
      client.send("POST /repos/{owner}/{repo}/issues/{issue_number}/sub_issues", {
        issue_number: parent,
        sub_issue_id: id,
      }),
    );
  return {
    attachSubIssue,
    async loadOwnIssues(since) {
      // The filter takes the login of an App's bot, too.
      const pages = await loadPages(client, "GET /repos/{owner}/{repo}/issues", {
        creator: await loadLogin(),
        state: "all",
        since: new Date(since).toISOString(),
      });
      const issues = pages.flatMap((page) => page.data).filter((issue) => issue.pull_request === undefined);
      return (await Promise.all(issues.map(parse))).filter((issue) => issue.own);
    },
    async loadSubIssues(parent) {
      // Anybody may put another repository's issue below ours, also one in which our App wrote: its number means nothing
      // here. Our own address is asked for, since the one we know may be from before a rename.
      const { data: above } = await client.send(
        "GET /repos/{owner}/{repo}/issues/{issue_number}",
        { issue_number: parent },
        { conditional: true },
      );
      const pages = await loadPages(client, "GET /repos/{owner}/{repo}/issues/{issue_number}/sub_issues", {
        issue_number: parent,
      });
      return await Promise.all(
        pages
          .flatMap((page) => page.data)
          .map(async (data) => {
            const issue = await parse(data);
            return { ...issue, own: issue.own && data.repository_url === above.repository_url };
          }),
      );
    },
    async createSubIssue(parent, { title, body }) {
      const { data } = await client.send("POST /repos/{owner}/{repo}/issues", { title, body });
      await attachSubIssue(parent, data.id);
      return await parse(data);
    },
    async updateSubIssue(number, { title, body, state }) {
      await client.send("PATCH /repos/{owner}/{repo}/issues/{issue_number}", {
        issue_number: number,
        ...(title === undefined ? {} : { title }),
        ...(body === undefined ? {} : { body }),
        ...(state === undefined
          ? {}
          : state === "open"
            ? { state, state_reason: "reopened" }
            : { state: "closed", state_reason: state }),
      });
    },
    async loadBlockers(number) {
      const pages = await loadPages(client, "GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by", {
        issue_number: number,
      });
      return pages.flatMap((page) => page.data).map(({ id }) => id);
    },
    async addBlocker(number, id) {
      await orThere(
        client.send("POST /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by", {
          issue_number: number,
          issue_id: id,
        }),
      );
    },
    async removeBlocker(number, id) {
      try {
        await client.send("DELETE /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by/{issue_id}", {
          issue_number: number,
          issue_id: id,
        });
      } catch (error) {
        if (!(error instanceof GitHubFailure) || error.details.status !== 404) throw error;
      }
    },
  };
}

/** GitHub answers 422 to a relation that exists, and tells other refusals apart only in words. */
async function orThere(sending: Promise<unknown>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    if (
      error instanceof GitHubFailure &&
      error.details.status === 422 &&
      /already|duplicate|only have one parent/iu.test(error.message)
    )
      return;
    throw error;
  }
}
