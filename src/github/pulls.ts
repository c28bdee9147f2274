import { GitHubFailure } from "../contracts/errors.ts";
import { loadPages } from "./load-pages.ts";
import { parseMergeEvent, parseMergeSha, parsePull } from "./parse-pull.ts";
import type { Pull, RepositoryPort } from "./port.ts";
import type { RepositoryClient } from "./repository-client.ts";

type Pulls = Pick<
  RepositoryPort,
  "loadPull" | "loadPullsByHead" | "loadOpenPulls" | "createPull" | "updatePull" | "markReady" | "mergePull"
>;

export function createPulls(client: RepositoryClient): Pulls {
  return {
    loadPull: (number, wanted) => loadPull(client, number, wanted),
    async loadPullsByHead(branch) {
      const pages = await loadPages(client, "GET /repos/{owner}/{repo}/pulls", {
        head: `${client.address().owner}:${branch}`,
        state: "all",
        sort: "created",
        direction: "desc",
      });
      // A fork of the same owner has the same `owner:branch`.
      return pages
        .flatMap((page) => page.data)
        .filter((pull) => pull.head.ref === branch && pull.head.repo?.id === client.ref.id)
        .map((pull) => parsePull(pull));
    },
    async loadOpenPulls() {
      const pages = await loadPages(client, "GET /repos/{owner}/{repo}/pulls", { state: "open" });
      return pages.flatMap((page) => page.data).map((pull) => parsePull(pull));
    },
    async createPull(pull) {
      const create = async (draft: { readonly draft?: true }): Promise<Pull> => {
        const { head, base, title, body } = pull;
        const { data } = await client.send("POST /repos/{owner}/{repo}/pulls", { head, base, title, body, ...draft });
        return parsePull(data);
      };
      if (!pull.draft) return create({});
      try {
        return await create({ draft: true });
      } catch (error) {
        // Some plans know no drafts in private repositories: 422, nothing was created.
        if (!(error instanceof GitHubFailure) || !/draft/iu.test(error.message)) throw error;
        return create({});
      }
    },
    async updatePull(number, change) {
      await client.send("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", { pull_number: number, ...change });
    },
    async markReady(nodeId) {
      // REST cannot take the draft mark off (github.com/orgs/community/discussions/70061).
      await client.sendGraphql(
        "mutation($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }",
        { id: nodeId },
      );
    },
    async mergePull(number, { sha, method, title, message }) {
      const { data } = await client.send("PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge", {
        pull_number: number,
        sha,
        merge_method: method,
        commit_title: title,
        commit_message: message,
      });
      return parseMergeSha(data);
    },
  };
}

async function loadPull(client: RepositoryClient, number: number, wanted: "state" | undefined): Promise<Pull> {
  const answer = await client.find(
    "GET /repos/{owner}/{repo}/pulls/{pull_number}",
    { pull_number: number },
    { conditional: true, patience: "always" },
  );
  if (answer === null) throw new GitHubFailure("conflict", `There is no pull request ${number}.`, { status: 404 });
  const pull = parsePull(answer.data);
  if (wanted === "state" || !pull.merged || pull.mergeCommit !== null) return pull;
  // API version 2026-03-10 has no `merge_commit_sha`: the event of the merge names the commit.
  const pages = await loadPages(client, "GET /repos/{owner}/{repo}/issues/{issue_number}/events", {
    issue_number: number,
  });
  const merges = pages.flatMap((page) => page.data).filter((event) => event.event === "merged");
  return { ...pull, mergeCommit: parseMergeEvent(merges.at(-1)?.commit_id) };
}
