import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { parseConfig } from "../../src/contracts/parse-config.ts";
import { runTaskfleet } from "./run-taskfleet.ts";

let root: string;
let release: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "taskfleet-init-test-"));
  release = path.join(root, "release");
  createRepository(release);
  git(release, "tag", "-a", "v0.1.0", "-m", "v0.1.0");
  createRepository(path.join(root, "clone"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", [...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

function createRepository(folder: string): void {
  mkdirSync(folder);
  git(folder, "init", "-q", "-b", "main");
  git(folder, "config", "user.name", "Mona");
  git(folder, "config", "user.email", "mona@example.com");
  writeFileSync(path.join(folder, "README.md"), "# Shop\n");
  git(folder, "add", ".");
  git(folder, "commit", "-q", "-m", "Begin");
}

const clone = (): string => path.join(root, "clone");
const init = (...args: readonly string[]) =>
  runTaskfleet(["init", "--directory", clone(), "--worker", release, ...args]);

describe("taskfleet init", () => {
  it("puts workflow, configuration and issue form on a branch and leaves everything else alone", async () => {
    writeFileSync(path.join(clone(), "README.md"), "# Shop, being edited\n");
    const outcome = await init();
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(git(clone(), "diff", "--name-status", "main", "taskfleet/setup").split("\n").toSorted()).toEqual([
      "A\t.github/ISSUE_TEMPLATE/taskfleet.yml",
      "A\t.github/taskfleet.yml",
      "A\t.github/workflows/taskfleet.yml",
    ]);
    expect(git(clone(), "symbolic-ref", "--short", "HEAD")).toBe("main");
    expect(git(clone(), "status", "--porcelain")).toBe("M README.md");
    expect(git(clone(), "log", "-1", "--format=%B", "taskfleet/setup")).toContain("asks for no write permission");
    expect(outcome.stdout).toContain("git push origin taskfleet/setup");
  });

  it("pins the worker to the commit of the release", async () => {
    await init();
    const workflow = git(clone(), "show", "taskfleet/setup:.github/workflows/taskfleet.yml");
    const commit = git(release, "rev-parse", "v0.1.0^{commit}");
    const uses = workflow.match(/uses: taskfleet\/.*/gu) ?? [];
    expect(uses.length).toBeGreaterThan(2);
    expect(new Set(uses)).toEqual(new Set([`uses: taskfleet/taskfleet/.github/actions/worker@${commit} # v0.1.0`]));
  });

  it("names the tag, and says so, where the release cannot be asked for", async () => {
    const outcome = await runTaskfleet(["init", "--directory", clone(), "--worker", path.join(root, "nowhere")]);
    expect(outcome.stdout).toContain("could not be looked up");
    expect(git(clone(), "show", "taskfleet/setup:.github/workflows/taskfleet.yml")).toContain("worker@v0.1.0\n");
  });

  it("writes a configuration that is valid as it is, and a form GitHub takes", async () => {
    await init();
    const config = git(clone(), "show", "taskfleet/setup:.github/taskfleet.yml");
    expect(config.split("\n")[0]).toMatch(/^# yaml-language-server: \$schema=https:\/\/.*config\.schema\.json$/u);
    expect(parseConfig(config).problems).toEqual([]);
    const form = parse(git(clone(), "show", "taskfleet/setup:.github/ISSUE_TEMPLATE/taskfleet.yml")) as {
      readonly body: readonly object[];
    };
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    // An issue form may not start a run for whoever opens it.
    expect(form).not.toHaveProperty("labels");
    expect(form.body.length).toBeGreaterThan(2);
  });

  it("uncommented, every example of the configuration is valid", () => {
    const text = readFileSync(path.join(import.meta.dirname, "../../src/cli/init/templates/config.yml"), "utf8");
    const uncommented = text
      .split("\n")
      .map((line) =>
        line.replace(/^( *)# ((?:[a-z_]+:|  [a-z_]+:|- name:|  (?:preset|description|paths):).*)$/u, "$1$2"),
      )
      .join("\n");
    expect(uncommented).toContain("\nsource: main");
    expect(uncommented).toContain("\n  typecheck: { command: npm run types }");
    expect(parseConfig(uncommented).problems).toEqual([]);
  });

  it("never overwrites: a file that is there stays, whatever is in it", async () => {
    mkdirSync(path.join(clone(), ".github"));
    writeFileSync(path.join(clone(), ".github/taskfleet.yml"), "version: 1\n");
    git(clone(), "add", ".");
    git(clone(), "commit", "-q", "-m", "Configure");
    const outcome = await init();
    expect(outcome.stdout).toContain("different  .github/taskfleet.yml: kept as it is");
    expect(git(clone(), "show", "taskfleet/setup:.github/taskfleet.yml")).toBe("version: 1");
  });

  it("run again it changes nothing, before and after the branch is merged", async () => {
    await init();
    const tip = git(clone(), "rev-parse", "taskfleet/setup");
    expect(await init()).toMatchObject({ code: 0, stdout: expect.stringContaining("holds what is missing already") });
    expect(git(clone(), "rev-parse", "taskfleet/setup")).toBe(tip);
    git(clone(), "merge", "-q", "--ff-only", "taskfleet/setup");
    git(clone(), "branch", "-q", "-D", "taskfleet/setup");
    expect(await init()).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing to do.") });
    expect(git(clone(), "branch", "--list", "taskfleet/*")).toBe("");
  });

  it("refuses a branch of its name that holds something else, and a folder that is no clone", async () => {
    git(clone(), "branch", "taskfleet/setup");
    expect(await init()).toMatchObject({ code: 2, stderr: expect.stringContaining("merge or delete it") });
    expect(await runTaskfleet(["init", "--directory", tmpdir(), "--worker", release])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no git clone"),
    });
  });
});
