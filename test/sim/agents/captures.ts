/**
 * What a floor job finds on a commit. The repository's files are written in a tiny language of lines, so
 * that a tree's truth can be computed: `it NAME` in a test file is a test; `breaks NAME` anywhere makes
 * it fail; `clashes PATH` makes the tests of the file's chunk fail where PATH is in the tree; `lint CODE`
 * is a finding; `types` an error of types; `flaky NAME` fails now and then; `skip NAME` is skipped.
 */
import type { Captures, CommandCapture, LintFinding, TestCase } from "../../../src/contracts/captures.ts";
import { ACCEPTANCE_OWNER } from "../../../src/contracts/criteria.ts";
import type { Sha } from "../../../src/contracts/ids.ts";
import type { Plan } from "../../../src/contracts/plan.ts";
import type { FloorCommand } from "../scenario.ts";
import { type GitModel, splitLines, type Tree } from "../model/git-model.ts";

/** What is true of a tree, whatever anybody reports. */
export interface TreeTruth {
  readonly cases: readonly TestCase[];
  readonly findings: readonly LintFinding[];
  readonly typesFail: boolean;
  readonly assertions: ReadonlyArray<{ readonly path: string; readonly count: number }>;
  readonly flaky: readonly string[];
}

const EVIDENCE = ".taskfleet/";

export class Laboratory {
  /** Jobs whose captures of the fork commit are no baseline. */
  readonly spoilt = new Set<string>();
  readonly #git: GitModel;
  readonly #truths = new Map<Sha, TreeTruth>();
  readonly #files = new Map<Sha, readonly string[]>();
  readonly #unconfigured: ReadonlySet<FloorCommand>;

  constructor(git: GitModel, unconfigured: readonly FloorCommand[] = []) {
    this.#git = git;
    this.#unconfigured = new Set(unconfigured);
  }

  /** Whether everything a floor can see is right in this tree, apart from what was wrong at the fork already. */
  isGreen(commit: Sha, fork: Sha): boolean {
    const truth = this.truth(commit);
    const before = this.truth(fork);
    const excused = new Set(before.cases.filter((test) => test.status !== "passed").map((test) => test.name));
    const known = new Set(before.findings.map((finding) => finding.message));
    const lacks = this.#unconfigured;
    return (
      (lacks.has("typecheck") || !truth.typesFail || before.typesFail) &&
      (lacks.has("lint") || truth.findings.every((finding) => known.has(finding.message))) &&
      (lacks.has("tests") || truth.cases.every((test) => test.status === "passed" || excused.has(test.name)))
    );
  }

  truth(commit: Sha): TreeTruth {
    const { tree } = this.#git.commit(commit);
    let truth = this.#truths.get(tree);
    if (truth === undefined) {
      truth = this.#examine(this.#git.findTree(tree) ?? new Map());
      this.#truths.set(tree, truth);
    }
    return truth;
  }

  #lines(blob: Sha): readonly string[] {
    let lines = this.#files.get(blob);
    if (lines === undefined) {
      lines = splitLines(this.#git.findBlob(blob) ?? "");
      this.#files.set(blob, lines);
    }
    return lines;
  }

  #examine(tree: Tree): TreeTruth {
    const broken = new Set<string>();
    const skipped = new Set<string>();
    const flaky: string[] = [];
    const findings: LintFinding[] = [];
    const tests: Array<{ readonly path: string; readonly name: string }> = [];
    const assertions: Array<{ path: string; count: number }> = [];
    let typesFail = false;
    for (const [path, file] of tree) {
      if (path.startsWith(EVIDENCE) || path.startsWith(".github/")) continue;
      let count = 0;
      for (const line of this.#lines(file.sha)) {
        const space = line.indexOf(" ");
        const rest = line.slice(space + 1);
        switch (space === -1 ? line : line.slice(0, space)) {
          case "it":
            if (path.startsWith("test/")) tests.push({ path, name: rest });
            break;
          case "breaks":
            broken.add(rest);
            break;
          case "clashes": {
            const [where = "", name = ""] = rest.split(" ");
            if (tree.has(where)) broken.add(name);
            break;
          }
          case "skip":
            skipped.add(rest);
            break;
          case "flaky":
            flaky.push(rest);
            break;
          case "lint":
            findings.push({ code: rest, package: "app", path, message: `${rest} in ${path}` });
            break;
          case "types":
            typesFail = true;
            break;
          case "expect":
            count += 1;
            break;
          default:
        }
      }
      if (path.startsWith("test/")) assertions.push({ path, count });
    }
    const cases = tests.map(({ path, name }): TestCase => {
      const status = broken.has(name) ? "failed" : skipped.has(name) ? "skipped" : "passed";
      return { package: "app", kind: "test", target: path, name, status, path };
    });
    return { cases, findings, typesFail, assertions, flaky };
  }

  capture(
    commit: Sha,
    plan: Plan | null,
    checks: { readonly chunks: readonly string[]; readonly acceptance: boolean } | undefined,
    isUnlucky: (test: string) => boolean,
    toolchain: string = TOOLCHAINS[0],
  ): Captures {
    const truth = this.truth(commit);
    const flaky = new Set(truth.flaky.filter(isUnlucky));
    const cases = truth.cases.map((test) =>
      flaky.has(test.name) && test.status === "passed" ? { ...test, status: "failed" as const } : test,
    );
    const failing = cases.some((test) => test.status === "failed");
    const files = this.#git.files(commit);
    const chunks = (checks?.chunks ?? []).map((id) => {
      const chunk = plan?.chunks.find((entry) => entry.id === id);
      if (chunk === undefined) throw new UnknownChunk(id);
      return chunk;
    });
    const found = chunks.flatMap((chunk) =>
      chunk.checks.map((check, index) => {
        const works =
          files.has(`src/${chunk.id}.js`) &&
          cases.every((test) => test.target !== `test/${chunk.id}.test.js` || test.status === "passed");
        return {
          owner: chunk.id,
          index,
          desc: check.desc,
          expectExit: check.expect_exit ?? 0,
          capture: command(check.run, works ? 0 : 1),
        };
      }),
    );
    const acceptance =
      checks?.acceptance === true ? (plan?.acceptance ?? []).filter((item) => item.kind === "check") : [];
    const lacks = this.#unconfigured;
    return {
      v: 1,
      commit,
      toolchain,
      runner: "ubuntu-24.04",
      setup: command("install", 0),
      typecheck: lacks.has("typecheck") ? null : command("types", truth.typesFail ? 2 : 0),
      tests: lacks.has("tests")
        ? null
        : { capture: command("tests", failing ? 1 : 0), report: { problems: [], announced: cases.length, cases } },
      lint: lacks.has("lint")
        ? null
        : {
            capture: command("lint", truth.findings.length > 0 ? 1 : 0),
            report: { problems: [], findings: [...truth.findings] },
          },
      enumeration: {
        capture: command("targets", 0),
        targets: truth.assertions.map(({ path }) => ({ package: "app", kind: "test", target: path })),
      },
      coverage: null,
      checks: [
        ...found,
        ...acceptance.map((item, index) => ({
          owner: ACCEPTANCE_OWNER,
          index,
          desc: item.desc,
          expectExit: item.expect_exit ?? 0,
          capture: command(item.run, failing ? 1 : 0),
        })),
      ],
      assertions: [...truth.assertions],
      suppressions: [],
    };
  }
}

/** A worker is asked for checks of a chunk that the plan it is given does not have. */
export class UnknownChunk extends Error {
  constructor(id: string) {
    super(`the plan has no chunk "${id}" whose checks are asked for`);
  }
}

/** Captures of the fork commit that are no baseline: each breaks one promise. */
export function spoilCaptures(captures: Captures, how: Spoiling): Captures {
  const { tests } = captures;
  switch (how) {
    case "setup-fails":
      return { ...captures, setup: command("install", 1) };
    case "toolchain-unknown":
      return { ...captures, toolchain: "unknown" };
    case "other-commit":
      return { ...captures, commit: "b".repeat(40) };
    case "report-cut":
      return tests === null
        ? { ...captures, toolchain: "" }
        : { ...captures, tests: { ...tests, report: { ...tests.report, announced: tests.report.cases.length + 1 } } };
    case "nothing-found":
      return tests === null
        ? { ...captures, toolchain: "" }
        : {
            ...captures,
            tests: { ...tests, report: { problems: ["no report was written"], announced: null, cases: [] } },
          };
  }
}

/** Captures as whoever must pass would like them. */
export function flatterCaptures(captures: Captures): Captures {
  const { typecheck, tests, lint } = captures;
  const succeed = (capture: CommandCapture): CommandCapture => ({ ...capture, exit: 0 });
  return {
    ...captures,
    typecheck: typecheck === null ? null : succeed(typecheck),
    tests:
      tests === null
        ? null
        : {
            capture: succeed(tests.capture),
            report: {
              ...tests.report,
              cases: tests.report.cases.map((test) => ({ ...test, status: "passed" as const })),
            },
          },
    lint: lint === null ? null : { capture: succeed(lint.capture), report: { ...lint.report, findings: [] } },
    checks: captures.checks.map((check) => ({ ...check, capture: { ...check.capture, exit: check.expectExit } })),
  };
}

export const SPOILINGS = ["setup-fails", "toolchain-unknown", "other-commit", "report-cut", "nothing-found"] as const;
export type Spoiling = (typeof SPOILINGS)[number];

/** The runners' images, one after the other. */
export const TOOLCHAINS = ["node v24.22.3", "node v24.23.0", "node v25.0.1"] as const;

function command(text: string, exit: number): CommandCapture {
  return {
    command: text,
    exit,
    signal: null,
    timedOut: false,
    spawnError: null,
    durationMs: 1000,
    output: "",
    outputBytes: 0,
  };
}
