import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { formatRunName } from "../../src/contracts/names.ts";
import type { JobId } from "../../src/contracts/ids.ts";
import { SampleJob } from "./sample-job.ts";

/** GitHub's answers to the worker's two reads. */
let server: Server;
let url: string;
let asked: string[];
let answer: (path: string) => { readonly status: number; readonly body: unknown };
let job: SampleJob;

beforeEach(async () => {
  job = new SampleJob();
  job.commit({ "README.md": "# Sample\n" });
  asked = [];
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    const { status, body } = answer(request.url ?? "");
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  job.remove();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const id = "7-sample/implement:greet/2" as JobId;

function claim(): ReturnType<SampleJob["start"]> {
  return job.start("claim", {
    TASKFLEET_JOB: id,
    TASKFLEET_TOKEN: "ghs_reads",
    GITHUB_API_URL: url,
    GITHUB_RUN_ID: "500",
    GITHUB_REF_NAME: "taskfleet/7-sample/chunk/greet",
    GITHUB_WORKFLOW_REF: "octo/sample/.github/workflows/taskfleet.yml@refs/heads/taskfleet/7-sample/chunk/greet",
  });
}

function listed(runs: ReadonlyArray<readonly [id: number, title: string]>): void {
  answer = () => ({
    status: 200,
    body: { total_count: runs.length, workflow_runs: runs.map(([run, display_title]) => ({ id: run, display_title })) },
  });
}

describe("claiming a job", () => {
  it("leaves it to the older run that carries it", async () => {
    listed([
      [500, formatRunName("implement", id)],
      [400, formatRunName("implement", id)],
    ]);
    const run = await claim();
    expect([run.exit, run.output]).toEqual([0, "duplicate=true\n"]);
    expect(asked).toEqual([
      "/repos/octo/sample/actions/workflows/taskfleet.yml/runs?event=workflow_dispatch&per_page=100&page=1&branch=taskfleet%2F7-sample%2Fchunk%2Fgreet Bearer ghs_reads",
    ]);
  });

  it("keeps it when only younger runs and other jobs are there", async () => {
    listed([
      [600, formatRunName("implement", id)],
      [500, formatRunName("implement", id)],
      [400, formatRunName("implement", "7-sample/implement:greet/1" as JobId)],
      [300, `taskfleet implement ${id} and more`],
    ]);
    expect((await claim()).output).toBe("duplicate=false\n");
  });

  it("keeps it when GitHub refuses to tell: work done twice is better than none", async () => {
    answer = () => ({ status: 422, body: { message: "no" } });
    const run = await claim();
    expect([run.exit, run.output]).toEqual([0, "duplicate=false\n"]);
    expect(run.log).toContain("::warning::doubled runs cannot be told");
  });
});

describe("loading a request's texts", () => {
  it("fetches those that are not in the clone, and only believes the blob that was asked for", async () => {
    const here = job.blob("# In the clone\n");
    const elsewhere = new SampleJob();
    const intent = elsewhere.blob("# Fetched\n");
    const feedback = elsewhere.blob("never sent");
    elsewhere.remove();
    answer = (path) => ({
      status: 200,
      body: {
        encoding: "base64",
        content: Buffer.from(path.endsWith(intent) ? "# Fetched\n" : "something else").toString("base64"),
      },
    });
    const request = job.request({ role: "plan", documents: { config: here, intent, feedback } });
    const run = await job.start("documents", {
      TASKFLEET_ROLE: "plan",
      TASKFLEET_JOB: request.job,
      TASKFLEET_REQUEST: JSON.stringify(request),
      TASKFLEET_TOKEN: "ghs_reads",
      GITHUB_API_URL: url,
    });
    expect(run.exit).toBe(0);
    expect(asked.map((line) => line.split(" ")[0])).toEqual([
      `/repos/octo/sample/git/blobs/${intent}`,
      `/repos/octo/sample/git/blobs/${feedback}`,
    ]);
    expect(run.log).toContain("Loaded the document `intent`");
    expect(run.log).toContain("the document `feedback` cannot be read");
  });
});
