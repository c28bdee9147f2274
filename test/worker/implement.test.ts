import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { existsSync } from "node:fs";
import path from "node:path";
import type { ChangeSet } from "../../src/contracts/change-set.ts";
import type { JobRequest } from "../../src/contracts/job.ts";
import { SampleJob, samplePlan, type WorkerRun } from "./sample-job.ts";

let job: SampleJob;

beforeEach(() => {
  job = new SampleJob();
  job.commit({
    "README.md": "# Sample\n",
    "src/old.js": "export const old = 1;\n",
    "run.sh": "echo hi\n",
    ".gitignore": "build/\n",
  });
});
afterEach(() => job.remove());

function implement(program: string, fields: Partial<JobRequest> = {}): Promise<WorkerRun> {
  const request = job.request({
    role: "implement",
    chunk: "greet",
    attempt: 1,
    ...fields,
    documents: {
      config: job.agentConfig(program),
      plan: job.blob(JSON.stringify(samplePlan())),
      ...fields.documents,
    },
  });
  return job.run(request);
}

function changesOf(run: WorkerRun): ChangeSet {
  const { result } = run;
  if (result?.outcome !== "done" || result.payload.kind !== "change-set") throw new Error(`no change set:\n${run.log}`);
  return result.payload.changeSet;
}

const head = `
import fs from "node:fs";
const request = JSON.parse(fs.readFileSync(0, "utf8"));
const done = (summary = "done") => console.log(JSON.stringify({ summary }));
`;

describe("an implementer's job", () => {
  it("returns new, changed, deleted, executable, linked and binary files as a change set", async () => {
    const run = await implement(`${head}
      fs.mkdirSync("test");
      fs.writeFileSync("src/greet.js", "export const greet = (name) => \`Hello, \${name}!\`;\\n");
      fs.writeFileSync("README.md", "# Sample\\n\\nGreets.\\n");
      fs.rmSync("src/old.js");
      fs.chmodSync("run.sh", 0o755);
      fs.symlinkSync("../README.md", "test/link");
      fs.writeFileSync("test/blob.bin", Buffer.from([0, 255, 254]));
      fs.mkdirSync("build"); fs.writeFileSync("build/out.js", "ignored");
      done();
    `);
    const base = job.git("rev-parse", "HEAD");
    expect(run.exit).toBe(0);
    expect(changesOf(run)).toEqual({
      v: 1,
      base,
      entries: [
        { kind: "write", path: "README.md", mode: "100644", encoding: "utf-8", content: "# Sample\n\nGreets.\n" },
        { kind: "write", path: "run.sh", mode: "100755", encoding: "utf-8", content: "echo hi\n" },
        {
          kind: "write",
          path: "src/greet.js",
          mode: "100644",
          encoding: "utf-8",
          content: "export const greet = (name) => `Hello, ${name}!`;\n",
        },
        { kind: "delete", path: "src/old.js" },
        { kind: "write", path: "test/blob.bin", mode: "100644", encoding: "base64", content: "AP/+" },
        { kind: "write", path: "test/link", mode: "120000", encoding: "utf-8", content: "../README.md" },
      ],
    });
  });

  it("tells a rename as a deletion and a file", async () => {
    const run = await implement(`${head} fs.renameSync("src/old.js", "src/new.js"); done();`);
    expect(changesOf(run).entries.map((entry) => [entry.kind, entry.path])).toEqual([
      ["write", "src/new.js"],
      ["delete", "src/old.js"],
    ]);
  });

  it("sees a change although the agent committed it, hid it and rewrote the checkout's git settings", async () => {
    const run = await implement(`${head}
      import { execFileSync } from "node:child_process";
      const git = (...args) => execFileSync("git", args, { stdio: "ignore" });
      fs.writeFileSync("src/greet.js", "1\\n");
      git("-c", "user.name=x", "-c", "user.email=x@y", "add", "-A");
      git("-c", "user.name=x", "-c", "user.email=x@y", "commit", "-m", "x");
      fs.writeFileSync("README.md", "changed\\n");
      git("update-index", "--assume-unchanged", "README.md");
      fs.writeFileSync(".git/info/exclude", "*\\n");
      fs.writeFileSync("src/hidden.js", "2\\n");
      fs.appendFileSync(".git/config", "[core]\\n\\tfsmonitor = touch FSMONITOR_RAN\\n");
      done();
    `);
    expect(changesOf(run).entries.map((entry) => entry.path)).toEqual(["README.md", "src/greet.js", "src/hidden.js"]);
  });

  it("shows a nested repository as a submodule, so that the merge guard can refuse it", async () => {
    const run = await implement(`${head}
      import { execFileSync } from "node:child_process";
      fs.mkdirSync("vendor/lib", { recursive: true });
      execFileSync("git", ["init", "--quiet", "vendor/lib"]);
      fs.writeFileSync("src/greet.js", "1\\n");
      done();
    `);
    const entries = changesOf(run).entries;
    expect(entries.map((entry) => [entry.path, entry.kind === "write" ? entry.mode : ""])).toEqual([
      ["src/greet.js", "100644"],
      ["vendor/lib", "160000"],
    ]);
  });

  it("starts no program that the agent has put into a submodule's configuration", async () => {
    job.commitSubmodule();
    const proof = path.join(job.folder, "started");
    const run = await implement(`${head}
      import { execFileSync } from "node:child_process";
      execFileSync("sh", ["-c", ${JSON.stringify(job.trapSubmodule(proof))}]);
      fs.writeFileSync("src/greet.js", "1\\n");
      done();
    `);
    expect(existsSync(proof)).toBe(false);
    expect(changesOf(run).entries.map((entry) => entry.path)).toEqual(["src/greet.js", "sub"]);
    // It was a trap: git's own look at the work tree goes into it.
    job.git("status");
    expect(existsSync(proof)).toBe(true);
  });

  it("gives the agent the chunk, its criteria and the prompt, and keeps its summary and context", async () => {
    const run = await implement(`${head}
      fs.writeFileSync("src/greet.js", JSON.stringify({ ...request, prompt: request.prompt.length > 500 }));
      console.log(JSON.stringify({ summary: "Wrote greet.", context: { services: [], patterns: ["errors are typed"] } }));
    `);
    const [entry] = changesOf(run).entries;
    const seen = JSON.parse(entry?.kind === "write" ? entry.content : "") as Record<string, unknown>;
    expect(seen).toMatchObject({
      v: 1,
      role: "implement",
      job: "7-sample/implement/1",
      attempt: 1,
      prompt: true,
      chunk: { id: "greet", files: ["src/greet.js", "test/greet.test.js"], requires_tests: true },
      criteria: ["the tests pass", "greet refuses a blank name"],
    });
    expect(run.result).toMatchObject({
      summary: "Wrote greet.",
      promptVersion: expect.stringMatching(/^implement@\d+ common@\d+$/u),
      payload: { context: { services: [], patterns: ["errors are typed"] } },
    });
  });

  it("starts from the former attempt's change on the current tip, with its feedback", async () => {
    const base = job.git("rev-parse", "HEAD");
    const former = job.commit({ "src/greet.js": "first try\n" });
    job.git("checkout", "--quiet", "--detach", base);
    const tip = job.commit({ "README.md": "# Moved on\n" });
    const feedback = job.blob(JSON.stringify({ v: 1, items: [{ source: "floor", text: "a test fails" }] }));
    const run = await implement(
      `${head}
      fs.writeFileSync("src/second.js", fs.readFileSync("src/greet.js", "utf8") + request.feedback[0].text);
      done();`,
      { start: { base, head: former }, attempt: 2, documents: { feedback } },
    );
    const set = changesOf(run);
    expect(set.base).toBe(tip);
    expect(set.entries).toMatchObject([
      { path: "src/greet.js", content: "first try\n" },
      { path: "src/second.js", content: "first try\na test fails" },
    ]);
  });

  it("begins from scratch where the former change does not apply", async () => {
    const base = job.git("rev-parse", "HEAD");
    const former = job.commit({ "README.md": "# One\n" });
    job.git("checkout", "--quiet", "--detach", base);
    job.commit({ "README.md": "# Another\n" });
    const run = await implement(
      `${head}
      fs.writeFileSync("src/greet.js", fs.readFileSync("README.md", "utf8") + request.prompt.includes("begin anew"));
      done();`,
      { start: { base, head: former }, attempt: 2 },
    );
    expect(changesOf(run).entries).toMatchObject([{ path: "src/greet.js", content: "# Another\ntrue" }]);
  });

  it.each([
    ["changes no file", "done();", "the agent changed no file"],
    ["prints nothing", `fs.writeFileSync("src/greet.js", "1");`, "the agent printed nothing"],
    ["prints text", `console.log("All done, boss!");`, "the agent printed text without the JSON object"],
    ["stops in the middle", `console.log('{"summary": "I chang');`, "the agent's JSON ends in the middle"],
    ["fails", `console.error("boom"); process.exit(3);`, "the agent's program ended with exit code 3: boom"],
    ["prints 30 MB", `process.stdout.write("x".repeat(30 * 1024 * 1024));`, "the agent printed more than"],
  ])("is unusable when the agent %s", async (_what, program, cause) => {
    const run = await implement(head + program);
    expect(run.exit).toBe(0);
    expect(run.result).toMatchObject({
      outcome: "unusable",
      cause: expect.stringContaining(cause),
      promptVersion: expect.stringMatching(/^implement@\d+ /u),
    });
  });

  it("is unusable when the agent gives its failed attempt back unchanged", async () => {
    const base = job.git("rev-parse", "HEAD");
    const former = job.commit({ "src/greet.js": "first try\n" });
    job.git("checkout", "--quiet", "--detach", base);
    const feedback = job.blob(JSON.stringify({ v: 1, items: [{ source: "review", text: "no test" }] }));
    const run = await implement(`${head} done();`, { start: { base, head: former }, documents: { feedback } });
    expect(run.result).toMatchObject({ outcome: "unusable", cause: expect.stringContaining("changed nothing") });
  });

  it("is nobody's fault when the agent reports a temporary failure", async () => {
    const run = await implement(`${head} console.error("usage limit until 10:00"); process.exit(75);`);
    expect(run.result).toMatchObject({ outcome: "external", cause: "usage limit until 10:00" });
  });
});
