import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { runCli } from "../../src/cli/run-cli.ts";

let root: string;
let out: string;
let err: string;

const git = (...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args], {
    cwd: root,
    encoding: "utf8",
  }).trim();

function commit(files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  git("add", "--all");
  git("commit", "--quiet", "--message=Test");
  return git("rev-parse", "HEAD");
}

function floor(...args: readonly string[]): Promise<number> {
  out = "";
  err = "";
  return runCli(["floor", ...args, "--repo", root], {
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
    input: (async function* (): AsyncGenerator<Uint8Array> {})(),
    isColoured: false,
  });
}

/** A test command without a runner: each line of tests.txt is a result. */
const config = [
  "floor:",
  "  toolchain: { command: echo sh 1.0.0 }",
  "  test:",
  "    command: cat tests.txt; ! grep -q '^not ok' tests.txt",
  '    report: "-"',
  "    format: tap",
  "",
].join("\n");

const plan = JSON.stringify({
  schema_version: 3,
  plan_rev: 1,
  intent_rev: 1,
  feature: { slug: "x", source_branch: "main", integration_branch: "taskfleet/1-x/integration" },
  baseline: {
    ref: "x@fork",
    commit_oid: "a".repeat(40),
    toolchain: "sh 1.0.0",
    test_passlist_hash: "sha256:0",
    clippy_warnings_hash: "sha256:0",
    enumerated_targets_hash: "sha256:0",
  },
  acceptance: [{ kind: "check", desc: "it is there", run: "test -f a.txt" }],
  chunks: [
    {
      id: "api",
      title: "Change a",
      tier: "code",
      brief: "Write b into a.txt.",
      files_touched: ["a.txt"],
      checks: [{ desc: "a says b", run: "grep -q b a.txt" }],
    },
  ],
});

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "taskfleet-cli-floor-")));
  git("init", "--quiet", "--initial-branch=main");
  commit({ ".github/taskfleet.yml": config, "a.txt": "a\n", "tests.txt": "1..2\nok 1 - one\nok 2 - two\n" });
  git("branch", "base");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("taskfleet floor run", () => {
  it("passes an honest change and leaves the work tree alone", async () => {
    commit({ "a.txt": "b\n" });
    writeFileSync(path.join(root, "a.txt"), "not committed\n");
    const file = path.join(root, "..", `${path.basename(root)}.json`);
    writeFileSync(file, plan);
    try {
      expect(await floor("run", "--base", "base", "--plan", file, "--chunk", "api")).toBe(0);
    } finally {
      rmSync(file);
    }
    expect(out).toContain("The floor passes.");
    expect(out).toMatch(/^1 checks +pass +1 of 1 pass$/mu);
    expect(out).toMatch(/^3 no new lint +not configured/mu);
    expect(git("status", "--porcelain")).toBe("M a.txt");
  });

  it("fails a regression with place, rule and exit status 1", async () => {
    commit({ "tests.txt": "1..2\nok 1 - one\nnot ok 2 - two\n" });
    expect(await floor("run", "--base", "base")).toBe(1);
    expect(out).toContain("The test two passes in the baseline and fails now. [2 regression]");
    expect(err).toMatch(/capturing the base [0-9a-f]{10}\n/u);
  });

  it("prints one JSON object, and nothing else, when asked", async () => {
    const head = commit({ "tests.txt": "1..1\nok 1 - one\n" });
    expect(await floor("run", "--base", "base", "--json")).toBe(1);
    const result = JSON.parse(out) as {
      readonly head: string;
      readonly violations: ReadonlyArray<{ readonly rule: string }>;
    };
    expect(result.head).toBe(head);
    expect(result.violations.map(({ rule }) => rule)).toEqual(["missing-test"]);
    expect(err).toBe("");
  });

  it("keeps terminal codes of the code under test out of the terminal", async () => {
    commit({ "tests.txt": "1..3\nok 1 - one\nok 2 - two\nnot ok 3 - \u001b[2Jthree\n" });
    expect(await floor("run", "--base", "base")).toBe(1);
    expect(out).toContain("[2Jthree");
    expect(out).not.toContain("\u001b");
  });
});

describe("taskfleet floor capture and compare", () => {
  it("give the same answer in two steps", async () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "taskfleet-captures-")));
    try {
      expect(await floor("capture", "--out", path.join(folder, "base.json"))).toBe(0);
      commit({ "tests.txt": "1..2\nok 1 - one\nok 2 - two # SKIP\n" });
      expect(await floor("capture", "--out", path.join(folder, "now.json"))).toBe(0);
      const files = ["--baseline", path.join(folder, "base.json"), "--captures", path.join(folder, "now.json")];
      expect(await floor("compare", ...files)).toBe(1);
      expect(out).toContain("[4 newly-skipped]");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("says when captures could be no baseline", async () => {
    commit({ "tests.txt": "1..9\nok 1 - one\n" });
    expect(await floor("capture")).toBe(1);
    expect(err).toContain("announces 9 tests and holds 1");
  });
});

describe("a question that cannot be asked", () => {
  it("is one by half a configuration", async () => {
    commit({ ".github/taskfleet.yml": `_extends: settings\n${config}` });
    git("branch", "--force", "base");
    expect(await floor("run", "--base", "base")).toBe(2);
    expect(err).toContain("extends `settings`, which is not read here");
  });

  it.each([
    [["run", "--base", "nowhere"], '"nowhere" is no commit of this repository'],
    [["run", "--base", "base", "--chunk", "api"], "--chunk needs --plan"],
    [["compare", "--baseline", "none.json", "--captures", "none.json"], "none.json cannot be read"],
    [["run", "--base", "base", "--config", "none.yml"], "none.yml cannot be read"],
  ])("%j", async (args, message) => {
    expect(await floor(...args)).toBe(2);
    expect(err).toContain(message);
    expect(out).toBe("");
  });
});
