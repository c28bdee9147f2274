/** A repository on a real GitHub, with somebody's token. */
import { randomBytes } from "node:crypto";
import { Octokit } from "@octokit/rest";
import { buildGround } from "./build-ground.ts";
import { CONTRACT_WORKFLOW, type Ground, type Row } from "./ground.ts";

export interface RealGround extends Ground {
  /** Why a row cannot be asked here, or null. */
  readonly lacks: (row: Row) => string | null;
  /** Closes and deletes what was made. */
  readonly clean: () => Promise<void>;
}

export interface RealGroundOptions {
  readonly owner: string;
  readonly repo: string;
  readonly token: string;
  /** REST root; GitHub's own when absent. */
  readonly baseUrl?: string | undefined;
  readonly pace?: Pace;
}

interface Pace {
  /** Between two writes, in ms. https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#pause-between-mutative-requests */
  readonly betweenWritesMs: number;
  readonly betweenLooksMs: number;
}

const PACE: Pace = { betweenWritesMs: 1_000, betweenLooksMs: 2_000 };
const PATIENCE_MS = 90_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** @throws RequestError when the repository cannot be read. */
export async function openRealGround(options: RealGroundOptions): Promise<RealGround> {
  const { owner, repo, token, baseUrl, pace = PACE } = options;
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const octokit = new Octokit({ auth: token, log: silent, ...(baseUrl === undefined ? {} : { baseUrl }) });
  const issues: number[] = [];
  let writable = Promise.resolve();
  octokit.hook.before("request", async (request) => {
    if (request.method === "GET") return;
    const before = writable;
    writable = before.then(() => sleep(pace.betweenWritesMs));
    await before;
  });
  octokit.hook.after("request", (response, request) => {
    const { number } = (response.data ?? {}) as { readonly number?: unknown };
    if (request.url === "/repos/{owner}/{repo}/issues" && request.method === "POST" && typeof number === "number") {
      issues.push(number);
    }
  });
  const { data: about } = await octokit.rest.repos.get({ owner, repo });
  const { data: tip } = await octokit.rest.git.getRef({ owner, repo, ref: `heads/${about.default_branch}` });
  const prefix = `contract-${randomBytes(4).toString("hex")}`;
  const ground = buildGround({
    octokit,
    repo: { owner, repo },
    main: { name: about.default_branch, sha: tip.object.sha },
    workflow: CONTRACT_WORKFLOW.path.split("/").at(-1) ?? "",
    prefix,
    async eventually(read, good) {
      const until = Date.now() + PATIENCE_MS;
      for (;;) {
        const value = await read();
        if (good(value)) return value;
        if (Date.now() > until) throw new Error("it did not happen in time");
        await sleep(pace.betweenLooksMs);
      }
    },
  });
  const isApp = await succeeds(octokit.rest.apps.listReposAccessibleToInstallation({ per_page: 1 }));
  const hasWorkflow = await succeeds(octokit.rest.repos.getContent({ owner, repo, path: CONTRACT_WORKFLOW.path }));
  return {
    ...ground,
    lacks(row) {
      switch (row.on) {
        case "everywhere":
          return null;
        case "app":
          return isApp ? null : "only an App may do it, and the token is a person's";
        case "workflow":
          return hasWorkflow ? null : `the default branch has no ${CONTRACT_WORKFLOW.path}`;
        case "sandbox":
          return row.because;
      }
    },
    async clean() {
      const refs = await octokit.paginate(octokit.rest.git.listMatchingRefs, { owner, repo, ref: `heads/${prefix}/` });
      // The pull requests of deleted branches close by themselves.
      for (const { ref } of refs) {
        await octokit.rest.git.deleteRef({ owner, repo, ref: ref.slice("refs/".length) }).catch(() => null);
      }
      for (const number of issues) {
        await octokit.rest.issues.update({ owner, repo, issue_number: number, state: "closed" }).catch(() => null);
      }
    },
  };
}

function succeeds(request: Promise<unknown>): Promise<boolean> {
  return request.then(
    () => true,
    () => false,
  );
}
