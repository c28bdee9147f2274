import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { installFakeClaude } from "./fake-claude.ts";

const CONFIG = `floor:
  test: { command: node --test --test-reporter=junit > report.xml, report: report.xml, format: junit }
`;

let folder: string;
let repo: string;
let done: { readonly exit: number | null; readonly out: string; readonly err: string };
let before: { readonly head: string; readonly refs: string; readonly status: string };

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: repo, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

function run(args: readonly string[], env: Readonly<Record<string, string>>, input = ""): Promise<typeof done> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "src/cli/main.ts", ...args], {
    env: { PATH: installFakeClaude(folder), HOME: folder, TMPDIR: path.join(folder, "tmp"), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  let out = "";
  let err = "";
  child.stdout.on("data", (part: Buffer) => (out += part.toString()));
  child.stderr.on("data", (part: Buffer) => (err += part.toString()));
  return new Promise((resolve) => void child.on("close", (exit) => resolve({ exit, out, err })));
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "taskfleet-own-"));
  repo = path.join(folder, "repo");
  for (const name of ["tmp", "repo", "repo/.github/workflows"]) mkdirSync(path.join(folder, name), { recursive: true });
  execFileSync("git", ["init", "--quiet", "--initial-branch=trunk", repo]);
  git("config", "user.name", "A person");
  git("config", "user.email", "person@example.org");
  writeFileSync(path.join(repo, "sum.test.js"), 'import test from "node:test";\ntest("it adds", () => {});\n');
  writeFileSync(path.join(repo, "package.json"), '{"type":"module"}\n');
  writeFileSync(path.join(repo, ".github/taskfleet.yml"), CONFIG);
  writeFileSync(
    path.join(repo, ".github/workflows/ci.yml"),
    "on: push\njobs: { a: { runs-on: x, steps: [{ run: exit 1 }] } }\n",
  );
  git("add", "--all");
  git("commit", "--quiet", "--message", "A start");
  writeFileSync(path.join(repo, "draft.txt"), "not committed\n");
  writeFileSync(path.join(folder, "issue.md"), "# Please greet\n\nWith one line.\n");
  before = { head: git("rev-parse", "HEAD"), refs: git("for-each-ref"), status: git("status", "--porcelain") };
  done = await run(
    ["sandbox", "--repo", repo, "--agent", "claude", "--issue", path.join(folder, "issue.md"), "--yes"],
    { ANTHROPIC_API_KEY: "sk-real-key-of-a-person" },
  );
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("taskfleet sandbox, on somebody's own repository with their own program", () => {
  it("comes to its end and says what it is not: isolated", () => {
    if (done.exit !== 0) throw new Error(`${done.out.slice(-4000)}\n${done.err.slice(-4000)}`);
    expect(done.err).toContain("not isolated");
  });

  it("leaves the change as one commit on theirs, with their workflows and configuration as they were", () => {
    const branch = /new branch (\S+) \(1 changed files/u.exec(done.out)?.[1] ?? "";
    expect(git("rev-parse", `${branch}^`)).toBe(before.head);
    expect(git("diff", "--name-only", before.head, branch)).toBe("greeting.txt");
    expect(git("show", `${branch}:greeting.txt`)).toBe("hello");
  });

  it("keeps the whole history beside it, with the plan and the evidence", () => {
    const history = /git log (refs\/\S+)/u.exec(done.out)?.[1] ?? "";
    expect(git("ls-tree", "-r", "--name-only", history)).toMatch(/^\.taskfleet\/.*plan\.json$/mu);
    expect(git("merge-base", history, before.head)).toBe(before.head);
  });

  it("moves nothing of theirs and leaves nothing behind", () => {
    expect(git("rev-parse", "HEAD")).toBe(before.head);
    expect(git("status", "--porcelain")).toBe(before.status);
    expect(git("for-each-ref")).toContain(before.refs);
    expect(readdirSync(path.join(folder, "tmp"))).toEqual([]);
  });

  it("starts nothing without a key, a program or a title, and says which is missing", async () => {
    const issue = path.join(folder, "issue.md");
    const key = { ANTHROPIC_API_KEY: "sk-1" };
    expect(await run(["sandbox", "--repo", repo, "--agent", "claude", "--issue", issue], {})).toMatchObject({
      exit: 2,
      err: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
    expect(await run(["sandbox", "--repo", repo, "--agent", "codex", "--issue", issue], {})).toMatchObject({
      exit: 2,
      err: expect.stringContaining("codex"),
    });
    expect(await run(["sandbox", "--repo", repo, "--agent", "claude"], key, "\n\n")).toMatchObject({
      exit: 2,
      err: expect.stringContaining("no title"),
    });
  }, 60_000);
});
