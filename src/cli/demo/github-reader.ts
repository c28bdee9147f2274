/** Reads of the local GitHub for the summary and the maintainer, over its REST API as anybody's. */
import { Octokit } from "@octokit/rest";
import type { Plan } from "../../contracts/plan.ts";

export type Reader = ReturnType<typeof createReader>;

export interface ReaderPlace {
  readonly apiUrl: string;
  readonly token: string;
  readonly owner: string;
  readonly repository: string;
}

export function createReader({ apiUrl, token, owner, repository }: ReaderPlace) {
  const octokit = new Octokit({ baseUrl: apiUrl, auth: token, log: silent });
  const at = { owner, repo: repository };
  return {
    octokit,
    at,
    listPulls: async () => await octokit.paginate(octokit.rest.pulls.list, { ...at, state: "all", per_page: 100 }),
    listComments: async (issue: number) =>
      await octokit.paginate(octokit.rest.issues.listComments, { ...at, issue_number: issue, per_page: 100 }),
    listRuns: async () =>
      await octokit.paginate(octokit.rest.actions.listWorkflowRunsForRepo, { ...at, per_page: 100 }),
    /** All check runs of a commit, older ones of the same name too. */
    listChecks: async (ref: string) =>
      await octokit.paginate(octokit.rest.checks.listForRef, { ...at, ref, filter: "all", per_page: 100 }),
    listBranches: async () =>
      (await octokit.paginate(octokit.rest.repos.listBranches, { ...at, per_page: 100 })).map(({ name }) => name),
    /** File names of a folder at a ref; none when there is no such folder. */
    listFolder: async (folder: string, ref: string): Promise<readonly string[]> => {
      try {
        const { data } = await octokit.rest.repos.getContent({ ...at, path: folder, ref });
        return Array.isArray(data) ? data.map(({ name }) => name) : [];
      } catch (error) {
        if ((error as { status?: number }).status === 404) return [];
        throw error;
      }
    },
    readPlan: async (file: string, ref: string): Promise<Plan> => {
      const { data } = await octokit.rest.repos.getContent({ ...at, path: file, ref });
      if (Array.isArray(data) || data.type !== "file") throw new TypeError(`${file} is no file`);
      return JSON.parse(Buffer.from(data.content, "base64").toString()) as Plan;
    },
  };
}

const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
function ignore(): void {}
