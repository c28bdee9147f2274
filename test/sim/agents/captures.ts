/**
 * What a floor job finds on a commit. The repository's files are written in a tiny language of lines, so
 * that a tree's truth can be computed: `it NAME` in a test file is a test; `breaks NAME` anywhere makes
 * it fail; `clashes PATH` makes the tests of the file's chunk fail where PATH is in the tree; `lint CODE`
 * is a finding; `types` an error of types; `flaky NAME` fails now and then; `skip NAME` is skipped.
 */
import type { Captures, CommandCapture, LintFinding, TestCase } from "../../../src/contracts/captures.ts";
import type { Sha } from "../../../src/contracts/ids.ts";
import type { Plan } from "../../../src/contracts/plan.ts";
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
  readonly #git: GitModel;
  readonly #truths = new Map<Sha, TreeTruth>();
  readonly #files = new Map<Sha, readonly string[]>();

  constructor(git: GitModel) {
    this.#git = git;
  }

  /** Whether everything a floor can see is right in this tree, apart from what was wrong at the fork already. */
  isGreen(commit: Sha, fork: Sha): boolean {
    const truth = this.truth(commit);
    const before = this.truth(fork);
    const excused = new Set(before.cases.filter((test) => test.status !== "passed").map((test) => test.name));
    const known = new Set(before.findings.map((finding) => finding.message));
    return (
      (!truth.typesFail || before.typesFail) &&
      truth.findings.every((finding) => known.has(finding.message)) &&
      truth.cases.every((test) => test.status === "passed" || excused.has(test.name))
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
  ): Captures {
    const truth = this.truth(commit);
    const flaky = new Set(truth.flaky.filter(isUnlucky));
    const cases = truth.cases.map((test) =>
      flaky.has(test.name) && test.status === "passed" ? { ...test, status: "failed" as const } : test,
    );
    const failing = cases.some((test) => test.status === "failed");
    const files = this.#git.files(commit);
    const chunks = (plan?.chunks ?? []).filter((chunk) => checks?.chunks.includes(chunk.id) === true);
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
    return {
      v: 1,
      commit,
      toolchain: "node v24.22.3",
      runner: "ubuntu-24.04",
      setup: null,
      typecheck: command("types", truth.typesFail ? 2 : 0),
      tests: { capture: command("tests", failing ? 1 : 0), report: { problems: [], announced: cases.length, cases } },
      lint: {
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
          owner: "acceptance",
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
