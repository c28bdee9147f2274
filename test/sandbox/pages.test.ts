import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createBranch } from "./make-commits.ts";
import { REPO, type SandboxWorld, createWorld } from "./sandbox-world.ts";

const HOSTILE = [
  "<!-- taskfleet: marker -->",
  '<script>alert("x")</script>',
  "<img src=x onerror=alert(1)>",
  "[click](javascript:alert(1))",
  '<a href="javascript:alert(1)">link</a>',
  "<style>body { display: none }</style>",
  "</div></main><iframe src=/></iframe>",
].join("\n\n");

const BODY = [
  "# Plan",
  "| gate | result |\n|---|---|\n| types | ✓ |",
  "```mermaid\ngraph TD\n  a --> b\n```",
  "<details><summary>More</summary>\n\n- [x] done\n\n</details>",
  "See #1 and @writer.",
].join("\n\n");

let world: SandboxWorld;
let sha: string;
let checkId: number;
let runId: number;

beforeAll(async () => {
  world = await createWorld({
    runner: async (_request, host) => {
      host.log(host.jobStarted({ name: "work" }), "<b>built</b>");
      return { conclusion: "success", runName: "" };
    },
  });
  await world.app.rest.issues.create({ ...REPO, title: "<i>Issue</i>", body: HOSTILE });
  sha = await createBranch(world.app, "topic/one", {
    "src/cart.js": "export const add = (a, b) => b + a;\n",
    "<b>.txt": "<u>\n",
  });
  await world.app.rest.pulls.create({ ...REPO, head: "topic/one", base: "main", title: "Pull", body: BODY });
  await world.as(world.tokens.writer).rest.pulls.createReview({
    ...REPO,
    pull_number: 2,
    event: "REQUEST_CHANGES",
    body: "No **good**",
    comments: [{ path: "src/cart.js", line: 1, side: "RIGHT", body: HOSTILE }],
  });
  const check = await world.app.rest.checks.create({
    ...REPO,
    name: "taskfleet/floor",
    head_sha: sha,
    conclusion: "failure",
    output: {
      title: "1 violation",
      summary: "| gate |\n|---|\n| scope |",
      annotations: [{ path: "src/cart.js", start_line: 1, end_line: 1, annotation_level: "failure", message: "<b>" }],
    },
  });
  checkId = check.data.id;
  const run = await world.app.request("POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", {
    ...REPO,
    workflow_id: "work.yml",
    ref: "main",
    inputs: { role: "plan", request: "<x>" },
    return_run_details: true,
  });
  runId = (run.data as unknown as { workflow_run_id: number }).workflow_run_id;
  await world.sandbox.idle();
});
afterAll(() => world.close());

async function open(path: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(`${world.sandbox.url}${path}`);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe("pages", () => {
  it("stand at every address GitHub shows to people", async () => {
    const addresses = [
      (await world.app.rest.repos.get(REPO)).data.html_url,
      (await world.app.rest.issues.get({ ...REPO, issue_number: 1 })).data.html_url,
      (await world.app.rest.pulls.get({ ...REPO, pull_number: 2 })).data.html_url,
      (await world.app.rest.checks.get({ ...REPO, check_run_id: checkId })).data.html_url,
      (await world.app.rest.actions.getWorkflowRun({ ...REPO, run_id: runId })).data.html_url,
      (await world.app.rest.actions.listJobsForWorkflowRun({ ...REPO, run_id: runId })).data.jobs[0]?.html_url,
      (await world.app.rest.repos.getCommit({ ...REPO, ref: sha })).data.html_url,
      ...["pull/2/files", "pull/2/commits", "branches", "issues", "pulls", "actions", "commits/topic/one"].map(
        (path) => `${world.sandbox.url}/acme/shop/${path}`,
      ),
      `${world.sandbox.url}/acme/shop/tree/topic/one/src`,
      `${world.sandbox.url}/acme/shop/blob/topic/one/src/cart.js`,
      `${world.sandbox.url}/`,
    ];
    for (const address of addresses) {
      const response = await fetch(address ?? "");
      expect([address, response.status]).toEqual([address, 200]);
      expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    }
    expect((await open("/acme/shop/issues/99")).status).toBe(404);
    expect((await open("/acme/none")).status).toBe(404);
  });

  it("run nothing a body says", async () => {
    for (const path of ["/acme/shop/issues/1", "/acme/shop/pull/2", "/acme/shop/pull/2/files"]) {
      const { text, headers } = await open(path);
      expect(text).not.toMatch(/<script|onerror|href="javascript|<iframe|<style>|taskfleet: marker/);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    expect((await open("/acme/shop/issues/1")).text).toContain("&lt;i&gt;Issue&lt;/i&gt;");
    expect((await open("/acme/shop/pull/2/files")).text).toContain("&lt;b&gt;.txt");
  });

  it("show Markdown as GitHub does: tables, task lists, details, references, diagrams as pictures", async () => {
    const { text } = await open("/acme/shop/pull/2");
    expect(text).toContain("<td>types</td>");
    expect(text).toContain('<input type="checkbox" checked disabled>');
    expect(text).toContain("<summary>More</summary>");
    expect(text).toContain('<a href="/acme/shop/issues/1">#1</a>');
    expect(text).toContain('<img src="data:image/svg+xml;base64,');
    expect(text).toContain("requested changes");
  });

  it("show checks with their findings and runs with their logs", async () => {
    const check = (await open(`/acme/shop/runs/${checkId}`)).text;
    expect(check).toContain("1 violation");
    expect(check).toContain("src/cart.js:1");
    expect((await open("/acme/shop/pull/2")).text).toContain(`/acme/shop/runs/${checkId}`);
    const run = (await open(`/acme/shop/actions/runs/${runId}`)).text;
    expect(run).toContain("work &lt;x&gt;");
    expect(run).toContain("&lt;b&gt;built&lt;/b&gt;");
  });

  it("give files as plain text", async () => {
    const { text, headers } = await open("/acme/shop/raw/topic/one/src/cart.js");
    expect(text).toBe("export const add = (a, b) => b + a;\n");
    expect(headers.get("content-type")).toMatch(/^text\/plain/);
  });
});
