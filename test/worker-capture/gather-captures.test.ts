import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Captures, capturesSchema } from "../../src/contracts/captures.ts";
import { configSchema } from "../../src/contracts/config.ts";
import { gatherCaptures, type PlannedCheck } from "../../src/worker/capture/gather-captures.ts";
import { createScratch, type Scratch } from "./support/scratch.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch.remove());

interface Given {
  readonly floor?: Readonly<Record<string, unknown>>;
  readonly checks?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly testReruns?: number;
}

async function gather(commit: string, given: Given = {}): Promise<Captures> {
  const plannedChecks = (given.checks ?? []).map((run, index): PlannedCheck => ({
    owner: "api",
    index,
    desc: run,
    run,
    expectExit: 0,
  }));
  const captures = await gatherCaptures({
    root: scratch.root,
    commit,
    config: configSchema.parse({ floor: { ...given.floor } }).floor,
    plannedChecks,
    testReruns: given.testReruns ?? 0,
    env: { ...process.env, ...given.env },
  });
  return capturesSchema.parse(captures);
}

const tapTest = (lines: string): Readonly<Record<string, unknown>> => ({
  test: { command: lines, report: "-", format: "tap" },
});

describe("the commit", () => {
  it("must be checked out, and nothing else", async () => {
    const first = scratch.commit({ "a.txt": "1" });
    scratch.commit({ "a.txt": "2" });
    await expect(gather(first)).rejects.toThrow(/^HEAD is [0-9a-f]{40}, not /u);
  });

  it("must stand in a clean tree", async () => {
    const commit = scratch.commit({ "a.txt": "1" });
    writeFileSync(path.join(scratch.root, "b.txt"), "");
    await expect(gather(commit)).rejects.toThrow(/the tree is not clean: b.txt/u);
  });
});

describe("commands", () => {
  it("are captured with status, output and time", async () => {
    const commit = scratch.commit({ "a.txt": "1" });
    const { typecheck, setup, toolchain, tests } = await gather(commit, {
      floor: {
        setup: { command: "echo out; echo err >&2; exit 3" },
        typecheck: { command: "kill -SEGV $$" },
        toolchain: { command: "echo tool 1.2.3; echo more" },
      },
    });
    expect(setup).toMatchObject({ exit: 3, signal: null, timedOut: false, spawnError: null, outputBytes: 8 });
    expect(setup?.output).toContain("out\n");
    expect(setup?.output).toContain("err\n");
    expect(typecheck).toMatchObject({ exit: null, signal: "SIGSEGV" });
    expect(toolchain).toBe("tool 1.2.3");
    expect(tests).toBeNull();
  });

  it("get no secret, no git identity and a home of their own that is gone afterwards", async () => {
    const commit = scratch.commit({ "a.txt": "1" });
    const { checks } = await gather(commit, {
      checks: ["env; echo home:$HOME", "git log --format=%H -1"],
      env: {
        GITHUB_TOKEN: "ghs_secret",
        ANTHROPIC_API_KEY: "secret",
        MY_PASSWORD: "secret",
        NODE_AUTH_TOKEN: "secret",
      },
    });
    const [env, git] = checks;
    expect(env?.capture.exit).toBe(0);
    expect(env?.capture.output).not.toMatch(/secret/u);
    const home = /^home:(.+)$/mu.exec(env?.capture.output ?? "")?.[1] ?? "";
    expect(home).not.toBe(process.env["HOME"]);
    expect(existsSync(home)).toBe(false);
    expect(git?.capture.output.trim()).toBe(commit);
  });

  it("cannot gain privileges where the machine can forbid it", async () => {
    const commit = scratch.commit({ "a.txt": "1" });
    const { checks, runner } = await gather(commit, { checks: ["grep NoNewPrivs /proc/self/status"] });
    expect(runner).toMatch(/commands ran as /u);
    if (runner.includes("privilege") && process.platform === "linux")
      expect(checks[0]?.capture.output).toMatch(/NoNewPrivs:\s1/u);
  });

  const asRoot = process.platform === "linux" && process.getuid?.() === 0 ? it : it.skip;
  asRoot("run as a user who owns nothing but the checkout, where the job is root", async () => {
    const commit = scratch.commit({ "a.txt": "1\n" });
    const { checks, runner } = await gather(commit, {
      checks: ["id -u", "echo 2 > a.txt && touch b.txt", "echo 3 > a.txt", "touch .git/x", "setsid sleep 60 & echo $!"],
      env: { PATH: "/usr/bin:/bin" },
    });
    expect(runner).toMatch(/commands ran as an unprivileged user$/u);
    expect(Number(checks[0]?.capture.output)).toBeGreaterThan(700_000_000);
    expect(checks.map((check) => check.capture.exit)).toEqual([0, 0, 0, 1, 0]);
    // What left its process group has ended, too, and the checkout is ours again.
    expect(existsSync(`/proc/${checks[4]?.capture.output.trim()}/exe`)).toBe(false);
    expect(statSync(path.join(scratch.root, "a.txt")).uid).toBe(0);
    expect(statSync(scratch.root).uid).toBe(0);
  });

  it("keep only the end of a flood", async () => {
    const commit = scratch.commit({ "a.txt": "1" });
    const { checks } = await gather(commit, { checks: ["yes x | head -c 3000000; echo the end"] });
    expect(checks[0]?.capture.outputBytes).toBe(3_000_008);
    expect(checks[0]?.capture.output).toHaveLength(16_384);
    expect(checks[0]?.capture.output.endsWith("the end\n")).toBe(true);
  });

  it("leave the tree to the next one as setup left it", async () => {
    const commit = scratch.commit({ "a.txt": "1\n", ".gitignore": "cache\n" });
    const { checks } = await gather(commit, {
      floor: { setup: { command: "echo made > lock.txt; mkdir cache; echo kept > cache/x" } },
      checks: [
        "cat a.txt lock.txt cache/x; echo 2 > a.txt; echo junk > junk.txt; rm -f lock2.txt",
        "cat a.txt lock.txt cache/x; test ! -e junk.txt",
        "rm a.txt",
        "cat a.txt",
      ],
    });
    expect(checks.map((check) => check.capture.exit)).toEqual([0, 0, 0, 0]);
    expect(checks[1]?.capture.output).toBe("1\nmade\nkept\n");
    expect(readFileSync(path.join(scratch.root, "a.txt"), "utf8")).toBe("1\n");
  });

  asRoot("leave nothing running: no daemon sees the next command, the report or what is brought back", async () => {
    const commit = scratch.commit({ "a.txt": "1", ".gitignore": "pid\n" });
    // A session of its own is out of reach of its command's process group.
    const daemon = `rm -f pid; setsid sh -c 'echo $$ > pid; exec sleep 60' & until test -s pid; do :; done`;
    const captures = await gather(commit, {
      floor: { setup: { command: daemon } },
      // A dead process whose parent has not looked yet has no program any more.
      checks: ["test ! -e /proc/$(cat pid)/exe", daemon, "test ! -e /proc/$(cat pid)/exe"],
      env: { PATH: "/usr/bin:/bin" },
    });
    expect(captures.checks.map(({ capture }) => capture.exit)).toEqual([0, 0, 0]);
  });

  it("cannot trick our git by changing theirs", async () => {
    const commit = scratch.commit({ "a.txt": "1\n", ".gitattributes": "*.txt filter=evil\n" });
    const evil = path.join(scratch.root, "..", `${path.basename(scratch.root)}-evil`);
    const { checks } = await gather(commit, {
      checks: [
        `git config filter.evil.smudge 'touch ${evil}; cat'; git config filter.evil.clean 'touch ${evil}; cat'; echo 2 > a.txt`,
        "cat a.txt",
        "mv .git git2; echo 3 > a.txt",
        "true",
      ],
    });
    expect(existsSync(evil)).toBe(false);
    expect(checks[1]?.capture.output).toBe("1\n");
    // Without its objects the checkout cannot be brought back: what would run on it is no evidence.
    expect(checks[2]?.capture.exit).toBe(0);
    expect(checks[3]?.capture).toMatchObject({
      exit: null,
      spawnError: expect.stringContaining("could not be brought back"),
    });
  });

  it("run in the check's own folder, and say so when there is none", async () => {
    const commit = scratch.commit({ "web/a.txt": "1" });
    const captures = await gatherCaptures({
      root: scratch.root,
      commit,
      config: configSchema.parse({}).floor,
      plannedChecks: [
        { owner: "web", index: 0, desc: "a", run: "test -f a.txt", cwd: "web", expectExit: 0 },
        { owner: "web", index: 1, desc: "b", run: "true", cwd: "none", expectExit: 0 },
      ],
    });
    expect(captures.checks[0]).toMatchObject({ cwd: "web", capture: { exit: 0 } });
    expect(captures.checks[1]?.capture).toMatchObject({ exit: null, spawnError: "the folder none does not exist" });
  });
});

describe("test reports", () => {
  it("are read from standard output", async () => {
    const commit = scratch.commit({ "a.txt": "1" });
    const { tests } = await gather(commit, {
      floor: tapTest("printf 'TAP version 13\\nok 1 - a\\nnot ok 2 - b\\n1..2\\n'; exit 1"),
    });
    expect(tests?.capture.exit).toBe(1);
    expect(tests?.report).toMatchObject({ problems: [], announced: 2 });
    expect(tests?.report.cases.map(({ name, status }) => `${status} ${name}`)).toEqual(["passed a", "failed b"]);
  });

  it("are read from one file, or from several, and never from a former run", async () => {
    const suite = (name: string): string => `<testsuite tests="1"><testcase classname="c" name="${name}"/></testsuite>`;
    const commit = scratch.commit({ "out/old.xml": suite("old"), ".gitignore": "target\n" });
    const one = await gather(commit, { floor: { test: { command: "true", report: "out/old.xml", format: "junit" } } });
    expect(one.tests?.report.problems).toEqual(["the report out/old.xml was not written"]);
    const command = `mkdir -p target/x && echo '${suite("a")}' > target/x/TEST-a.xml && echo '${suite("b")}' > target/TEST-b.xml`;
    const many = await gather(commit, {
      floor: { test: { command, report: "target/**/TEST-*.xml", format: "junit" } },
    });
    expect(many.tests?.report).toMatchObject({ problems: [], announced: 2 });
    expect(many.tests?.report.cases.map(({ name }) => name)).toEqual(["b", "a"]);
  });

  it("may lie in a folder that is called like a report, and is removed as one", async () => {
    const commit = scratch.commit({ "a.txt": "1" });
    const suite = '<testsuite tests="1"><testcase classname="c" name="a"/></testsuite>';
    const command = `mkdir -p out/a.xml && echo '${suite}' > out/a.xml/b.xml`;
    const { tests } = await gather(commit, { floor: { test: { command, report: "out/**/*.xml", format: "junit" } } });
    expect(tests?.report.cases.map(({ name }) => name)).toEqual(["a"]);
    expect(tests?.report.problems).toEqual(["the report out/a.xml is no plain file"]);
    expect(existsSync(path.join(scratch.root, "out/a.xml"))).toBe(false);
  });

  it.each([
    ["a link to a file outside", "ln -s /etc/hostname out.xml"],
    ["a pipe", "mkfifo out.xml"],
    ["a device", "ln -s /dev/zero out.xml"],
    ["a folder", "mkdir out.xml"],
    ["a link to a folder outside", "rmdir out; ln -s /etc out"],
  ])("are not read through %s", async (_, command) => {
    const commit = scratch.commit({ "a.txt": "1" });
    const report = command.includes("out;") ? "out/hostname" : "out.xml";
    const { tests } = await gather(commit, { floor: { test: { command, report, format: "junit" } } });
    expect(tests?.report.cases).toEqual([]);
    expect(tests?.report.problems).toHaveLength(1);
  });

  it("remember the tests that fail by chance", async () => {
    const commit = scratch.commit({ "a.txt": "1", ".gitignore": "count\n" });
    const command =
      "echo x >> count; if [ $(wc -l < count) = 2 ]; then printf '1..1\\nnot ok 1 - a\\n'; exit 1; fi; printf '1..1\\nok 1 - a\\n'";
    const { tests } = await gather(commit, { floor: tapTest(command), testReruns: 2 });
    expect(tests?.report.cases[0]?.status).toBe("passed");
    expect(tests?.reruns?.map((report) => report.cases.map(({ status }) => status))).toEqual([["failed"], []]);
  });
});

describe("counts and the other captures", () => {
  it("are taken before anything runs", async () => {
    const commit = scratch.commit({
      "test/a.test.js":
        'import assert from "node:assert"; import { test } from "node:test"; test("a", () => assert.equal(f(), 1));\n',
      "src/a.ts": "// @ts-ignore\nf();\n",
      ".coverage-thresholds.json": JSON.stringify({ thresholds: { lines: 80 }, enforcement: { command: "exit 4" } }),
    });
    const captures = await gather(commit, {
      floor: { setup: { command: "echo > test/a.test.js; echo > src/a.ts" }, typecheck: { command: "true" } },
    });
    expect(captures.assertions).toEqual([{ path: "test/a.test.js", count: 1, strong: 1, hollow: 0 }]);
    expect(captures.suppressions).toEqual([{ path: "src/a.ts", count: 1 }]);
    expect(captures.thresholds).toEqual({ lines: 80 });
    expect(captures.coverage?.capture).toMatchObject({ command: "exit 4", exit: 4 });
  });

  it("hold lint, targets and coverage", async () => {
    const commit = scratch.commit({ "a.txt": "1" });
    const captures = await gather(commit, {
      floor: {
        lint: { command: "echo 'a.js:1:2: no-var'; exit 1", report: "-", format: "lines" },
        enumerate: { command: "echo 'api test api/t.js'; echo broken line" },
        coverage: {
          command: "printf 'SF:a\\nLF:4\\nLH:3\\nend_of_record\\n' > lcov.info",
          report: "lcov.info",
          format: "lcov",
        },
      },
    });
    expect(captures.lint?.report.findings).toEqual([
      { code: "", package: "", path: "a.js", message: "no-var", line: 1 },
    ]);
    expect(captures.enumeration).toMatchObject({
      targets: [{ package: "api", kind: "test", target: "api/t.js" }],
      problems: [expect.stringContaining("broken line")],
    });
    expect(captures.coverage?.report).toMatchObject({ problems: [], lines: 75 });
  });

  it("carry the commands that were detected", async () => {
    const commit = scratch.commit({
      "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
      "test/a.test.js":
        'import { test } from "node:test"; test("a", () => {}); test("b", () => { throw new Error("no"); });\n',
    });
    const captures = await gather(commit);
    expect(captures.floor?.test?.format).toBe("junit");
    expect(captures.toolchain).toMatch(/^node v[0-9]+\./u);
    expect(captures.tests?.report.cases.map(({ target, name, status }) => `${target} ${name} ${status}`)).toEqual([
      "test/a.test.js a passed",
      "test/a.test.js b failed",
    ]);
  });

  it("are not removed behind a link that leads out of the checkout", async () => {
    const outside = path.join(scratch.root, "..", `${path.basename(scratch.root)}-outside`);
    mkdirSync(outside);
    try {
      writeFileSync(path.join(outside, "tests.xml"), "somebody else's");
      const commit = scratch.commit({ "a.txt": "1", ".gitignore": "out\n" });
      const setup = { command: `ln -s ${outside} out` };
      for (const report of ["out/tests.xml", "out/*.xml"]) {
        const captures = await gather(commit, {
          floor: {
            setup: { command: `rm -f out; ${setup.command}` },
            test: { command: "true", report, format: "junit" },
          },
        });
        expect(captures.tests?.report.problems).toHaveLength(1);
        expect(readFileSync(path.join(outside, "tests.xml"), "utf8")).toBe("somebody else's");
      }
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it("do not follow links of the checkout", async () => {
    symlinkSync("/etc/hostname", path.join(scratch.root, "x.test.js"));
    const commit = scratch.commit({ "a.txt": "1" });
    expect((await gather(commit)).assertions).toEqual([]);
  });
});
