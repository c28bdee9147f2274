/**
 * Gathers everything a floor needs to know of one commit. The results are raw: what they are worth
 * the App decides (src/floor). Commands are untrusted code: they get no secret, no privilege and no
 * way to change what was counted before they ran.
 */
import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Captures, CheckCapture, CommandCapture, TestReport } from "../../contracts/captures.ts";
import type { FloorConfig } from "../../contracts/config.ts";
import { detectFloor } from "../../floor/detect.ts";
import { deriveFloorConfig } from "../../floor/effective-config.ts";
import { mergeLintReports, mergeTestReports } from "../../floor/merge-reports.ts";
import { parseTargets } from "../../floor/parse-targets.ts";
import { buildCoverageProblem } from "../../floor/readers/percent.ts";
import { readCoverageReport } from "../../floor/readers/read-coverage-report.ts";
import { readLintReport } from "../../floor/readers/read-lint-report.ts";
import { readTestReport } from "../../floor/readers/read-test-report.ts";
import { keepDifferences } from "../../floor/test-identity.ts";
import { assertCheckout, CaptureRefused, openShadow, refreshIndex } from "./checkout.ts";
import { CommandRunner } from "./command-runner.ts";
import { countSources, readThresholds } from "./count-sources.ts";
import { listFiles } from "../git/list-files.ts";
import { isolate, type IsolationNeed } from "./isolate.ts";

export interface PlannedCheck {
  /** A chunk's id, or `ACCEPTANCE_OWNER`. */
  readonly owner: string;
  readonly index: number;
  readonly desc: string;
  readonly run: string;
  /** Safe repository-relative folder; absent = the root. */
  readonly cwd?: string;
  readonly expectExit: number;
}

export interface CaptureRequest {
  /** Absolute path of a git checkout. */
  readonly root: string;
  /** Full name of the commit HEAD must be. */
  readonly commit: string;
  /** As configured; what it leaves out is detected from the tree. */
  readonly config: FloorConfig;
  readonly plannedChecks: readonly PlannedCheck[];
  /** Further runs of the tests, to learn which fail by chance; 0 when absent. */
  readonly testReruns?: number;
  /** Where the allow-list is taken from; this process's environment when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** `if-possible` when absent. */
  readonly isolation?: IsolationNeed;
}

export { CaptureRefused };

/**
 * @throws CaptureRefused when HEAD is another commit, the tree is not clean, or the signal aborted.
 * @throws IsolationImpossible before any command has run.
 * @throws Error when something a command left running cannot be ended.
 */
export async function gatherCaptures(request: CaptureRequest): Promise<Captures> {
  const { root, commit } = request;
  const env = request.env ?? process.env;
  await assertCheckout(root, commit);
  const files = await listFiles({ cwd: root }, commit);
  const detected = detectFloor(files, (file) => readTracked(root, file));
  const thresholds = await readThresholds(root);
  const config = deriveFloorConfig(request.config, detected);
  const counts = await countSources(root, files, config.tests.files);
  const shadow = await openShadow(root, commit);
  const isolation = await isolate(root, env, request.isolation ?? "if-possible").catch(async (error: unknown) => {
    await shadow.remove();
    throw error;
  });
  try {
    await refreshIndex(shadow.place);
    const runner = new CommandRunner({ root, commit, isolation, git: shadow.place, env, signal: request.signal });
    const toolchain = await captureToolchain(runner, config, env);
    const setup = await capturePlain(runner, config.setup);
    await runner.keepState();
    const captures: Captures = {
      v: 1,
      commit,
      toolchain,
      runner: describeRunner(env, isolation.description),
      floor: config,
      setup,
      typecheck: await capturePlain(runner, config.typecheck),
      lint: await captureLint(runner, config),
      enumeration: await captureEnumeration(runner, config),
      tests: await captureTests(runner, config, request.testReruns ?? 0),
      coverage: await captureCoverage(runner, config, thresholds?.command ?? null),
      thresholds: thresholds?.thresholds ?? null,
      checks: await captureChecks(runner, config, request.plannedChecks),
      ...counts,
    };
    if (request.signal?.aborted === true) throw new CaptureRefused("the capture was cancelled");
    return captures;
  } finally {
    try {
      await isolation.end();
    } finally {
      await shadow.remove();
    }
  }
}

interface PlainCommand {
  readonly command: string;
  readonly timeout_minutes: number;
}

async function capturePlain(runner: CommandRunner, plain: PlainCommand | undefined): Promise<CommandCapture | null> {
  return plain === undefined ? null : (await runner.run(plain.command, plain.timeout_minutes)).capture;
}

/** The first line the command prints; else the runner image, else what this process runs on. */
async function captureToolchain(
  runner: CommandRunner,
  config: FloorConfig,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (config.toolchain !== undefined) {
    const { capture } = await runner.run(config.toolchain.command, config.toolchain.timeout_minutes);
    const [line = ""] = capture.output.trim().split("\n");
    return capture.exit === 0 && line.trim() !== "" ? line.trim().slice(0, 200) : "unknown";
  }
  const { ImageOS: image, ImageVersion: version } = env;
  if (image !== undefined && version !== undefined) return `${image} ${version}`;
  return `node ${process.version}`;
}

async function captureTests(runner: CommandRunner, config: FloorConfig, reruns: number): Promise<Captures["tests"]> {
  const { test } = config;
  if (test === undefined) return null;
  const runOnce = async (): Promise<{ capture: CommandCapture; report: TestReport }> => {
    const run = await runner.runForReport(test);
    const reports = run.texts.map((text) =>
      "problem" in text
        ? { problems: [text.problem], announced: null, cases: [] }
        : readTestReport(test.format, text.text, runner.source),
    );
    return { capture: run.capture, report: trimMessages(mergeTestReports(reports)) };
  };
  const first = await runOnce();
  const again: TestReport[] = [];
  for (let count = 0; count < reruns; count += 1) again.push(keepDifferences(first.report, (await runOnce()).report));
  return { ...first, ...(again.length === 0 ? {} : { reruns: again }) };
}

const keptMessages = 300;

/** Messages of many failures say the same; the result has to stay small enough to be taken. */
function trimMessages(report: TestReport): TestReport {
  let left = keptMessages;
  const cases = report.cases.map((test) => {
    if (test.message === undefined) return test;
    left -= 1;
    const { message: _, ...rest } = test;
    return left >= 0 && test.status === "failed" ? test : rest;
  });
  return { ...report, cases };
}

async function captureLint(runner: CommandRunner, { lint }: FloorConfig): Promise<Captures["lint"]> {
  if (lint === undefined) return null;
  const run = await runner.runForReport(lint);
  const reports = run.texts.map((text) =>
    "problem" in text
      ? { problems: [text.problem], findings: [] }
      : readLintReport(lint.format, text.text, runner.source),
  );
  return { capture: run.capture, report: mergeLintReports(reports) };
}

async function captureEnumeration(runner: CommandRunner, { enumerate }: FloorConfig): Promise<Captures["enumeration"]> {
  if (enumerate === undefined) return null;
  const run = await runner.runForReport({ ...enumerate, report: "-" });
  const [text] = run.texts;
  const parsed =
    text === undefined || "problem" in text
      ? { targets: [], problems: [text?.problem ?? "no output"] }
      : parseTargets(text.text);
  return { capture: run.capture, targets: [...parsed.targets], problems: [...parsed.problems] };
}

async function captureCoverage(
  runner: CommandRunner,
  { coverage, check_timeout_minutes: minutes }: FloorConfig,
  enforcement: string | null,
): Promise<Captures["coverage"]> {
  if (coverage === undefined) {
    if (enforcement === null) return null;
    const { capture } = await runner.run(enforcement, minutes);
    return { capture, report: buildCoverageProblem("only the exit status of the enforcement command is known") };
  }
  const run = await runner.runForReport(coverage);
  const [text] = run.texts;
  if (run.texts.length !== 1 || text === undefined)
    return {
      capture: run.capture,
      report: buildCoverageProblem(`${run.texts.length} coverage reports were written; one is expected`),
    };
  const report =
    "problem" in text ? buildCoverageProblem(text.problem) : readCoverageReport(coverage.format, text.text);
  return { capture: run.capture, report };
}

async function captureChecks(
  runner: CommandRunner,
  config: FloorConfig,
  planned: readonly PlannedCheck[],
): Promise<CheckCapture[]> {
  const captures: CheckCapture[] = [];
  for (const { owner, index, desc, run, cwd, expectExit } of planned) {
    const { capture } = await runner.run(run, config.check_timeout_minutes, cwd);
    captures.push({ owner, index, desc, expectExit, ...(cwd === undefined ? {} : { cwd }), capture });
  }
  return captures;
}

function describeRunner(env: Readonly<Record<string, string | undefined>>, isolation: string): string {
  const image =
    env["ImageOS"] === undefined ? `${os.type()} ${os.arch()}` : `${env["ImageOS"]} ${env["ImageVersion"] ?? ""}`;
  return `${image.trim()}; ${isolation}`;
}

function readTracked(root: string, file: string): string | null {
  try {
    return readFileSync(path.join(root, file), "utf8");
  } catch {
    return null;
  }
}
