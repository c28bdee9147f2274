import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { RunRequest } from "../../src/sandbox/actions/runner-host.ts";
import { type GitServer, serveGit } from "./support/git-server.ts";
import { SandboxRepository } from "./support/sandbox-repository.ts";
import { jobOf, runTrial } from "./support/run-workflow.ts";

const repository = new SandboxRepository();
const first = repository.run("rev-parse", "HEAD");
repository.run("tag", "v1");
const second = repository.commit({ "a.txt": "two\n" }, "Second");
repository.run("branch", "topic", first);
repository.run("update-ref", "refs/pull/4/merge", second);
const token = "ghs_token_number_1";
let server: GitServer;

beforeAll(async () => {
  const expected = `basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
  server = await serveGit(repository.git, (authorization) => authorization === expected);
});
afterAll(async () => {
  await server.close();
  repository.remove();
});

const report = `- run: |
    echo "> $(git rev-parse HEAD) $(git symbolic-ref --short -q HEAD || echo detached) $(git rev-list --count HEAD)"
`;

async function checkOut(
  inputs: string,
  overrides: Partial<RunRequest> = {},
  after = report,
): Promise<{ said: string[]; conclusion: string; text: string }> {
  const { host, conclusion } = await runTrial(
    repository,
    jobOf(`- uses: actions/checkout@v5\n  id: co\n  with: { ${inputs} }\n${after}`),
    { repository: { fullName: "acme/shop", id: 77, cloneUrl: server.url, defaultBranch: "main" }, ...overrides },
  );
  return { said: (host.text.match(/^> .*/gm) ?? []).map((line) => line.slice(2)), conclusion, text: host.text };
}

describe("a checkout", () => {
  it.each<[what: string, inputs: string, overrides: Partial<RunRequest>, expected: string]>([
    ["the run's commit on its branch, without history", "", {}, `${second} main 1`],
    ["the run's commit even when the branch has moved on", "", { sha: first }, `${first} main 1`],
    ["all history", "fetch-depth: 0", {}, `${second} main 2`],
    ["all history of a commit that is no branch's tip any more", "fetch-depth: 0", { sha: first }, `${first} main 1`],
    ["a branch by its short name", "ref: topic", {}, `${first} topic 1`],
    ["a branch by its full name", "ref: refs/heads/topic", {}, `${first} topic 1`],
    ["a commit, detached", `ref: ${first}, fetch-depth: 0`, {}, `${first} detached 1`],
    ["a tag, detached", "ref: v1", {}, `${first} detached 1`],
    ["a pull request's merge, detached", "", { ref: "refs/pull/4/merge" }, `${second} detached 1`],
  ])("takes %s", async (_what, inputs, overrides, expected) => {
    expect(await checkOut(inputs, overrides)).toMatchObject({ said: [expected], conclusion: "success" });
  });

  it("has its ref and commit as outputs", async () => {
    const { said } = await checkOut(
      "ref: topic",
      {},
      `- run: echo "> \${{ steps.co.outputs.ref }} \${{ steps.co.outputs.commit }}"`,
    );
    expect(said).toEqual([`topic ${first}`]);
  });

  it("goes into `path`, which must lie in the workspace", async () => {
    const { said } = await checkOut("path: sub/repo", {}, `- run: cat sub/repo/a.txt | sed 's/^/> /'`);
    expect(said).toEqual(["two"]);
    expect(await checkOut("path: ../outside")).toMatchObject({ conclusion: "failure" });
  });

  it("cleans a former one unless told otherwise", async () => {
    const again = (clean: boolean): string =>
      `- run: touch new; echo changed > a.txt
- uses: actions/checkout@v5
  with: { clean: ${clean}, persist-credentials: false }
- run: echo "> $(ls) $(cat a.txt)" | tr '\\n' ' '; echo
`;
    expect((await checkOut("", {}, again(true))).said[0]).toMatch(/^README.md a.txt two/);
    expect((await checkOut("", {}, again(false))).said[0]).toMatch(/new/);
  });

  it("leaves later git commands the credentials, unless persist-credentials is false", async () => {
    const fetch = `- run: git fetch --quiet origin topic && echo "> fetched"\n- run: git config --list --show-origin | sed 's/^/> /'\n  if: always()\n`;
    const kept = await checkOut("", {}, fetch);
    expect(kept.said).toContain("fetched");
    const dropped = await checkOut("persist-credentials: false", {}, fetch);
    expect(dropped.said).not.toContain("fetched");
    expect(dropped.said.join("\n")).not.toMatch(/extraheader/i);
    for (const { text } of [kept, dropped]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(Buffer.from(`x-access-token:${token}`).toString("base64"));
    }
  });

  it("uses the token it is given", async () => {
    const { conclusion } = await checkOut("token: wrong");
    expect(conclusion).toBe("failure");
    expect(server.authorizations).toContain(`basic ${Buffer.from("x-access-token:wrong").toString("base64")}`);
  });

  it.each([
    ["ref: missing, fetch-depth: 0", "A branch or tag with the name 'missing' could not be found"],
    ["ref: missing", "Process completed with exit code 1."],
    ["repository: other/place", "The sandbox can check out 'acme/shop' only"],
    ["submodules: recursive", "neither submodules nor LFS"],
    ["sparse-checkout: src", "does not support the input 'sparse-checkout'"],
  ])("with %s fails and says why", async (inputs, message) => {
    const { conclusion, text } = await checkOut(inputs);
    expect(conclusion).toBe("failure");
    expect(text).toContain(message);
  });

  it("warns of inputs nobody knows", async () => {
    const { conclusion, text } = await checkOut("fetch-deptth: 0");
    expect(conclusion).toBe("success");
    expect(text).toContain("##[warning]Unexpected input(s) 'fetch-deptth'");
  });
});
