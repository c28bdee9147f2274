import type { Captures, CommandCapture, LintFinding, TestCase } from "../../../src/contracts/captures.ts";
import { configSchema, type FloorConfig } from "../../../src/contracts/config.ts";
import type { Change, FloorInput } from "../../../src/floor/floor-input.ts";

export const FORK = "f".repeat(40);
export const HEAD = "a".repeat(40);
export const TEST_COMMAND = "npm test";
export const LINT_COMMAND = "npm run lint";
export const TYPE_COMMAND = "npm run types";

export function command(text: string, change: Partial<CommandCapture> = {}): CommandCapture {
  return {
    command: text,
    exit: 0,
    signal: null,
    timedOut: false,
    spawnError: null,
    durationMs: 1,
    output: "",
    outputBytes: 0,
    ...change,
  };
}

export function testCase(name: string, change: Partial<TestCase> = {}): TestCase {
  return {
    package: "",
    kind: "test",
    target: "test/a.test.js",
    name,
    status: "passed",
    path: "test/a.test.js",
    ...change,
  };
}

/** A test capture whose exit status agrees with its cases. */
export function tests(
  cases: readonly TestCase[],
  change: Partial<CommandCapture> = {},
): NonNullable<Captures["tests"]> {
  const exit = cases.some((test) => test.status === "failed") ? 1 : 0;
  return {
    capture: command(TEST_COMMAND, { exit, ...change }),
    report: { problems: [], announced: cases.length, cases: [...cases] },
  };
}

export function lint(findings: readonly LintFinding[]): NonNullable<Captures["lint"]> {
  return {
    capture: command(LINT_COMMAND, { exit: findings.length > 0 ? 1 : 0 }),
    report: { problems: [], findings: [...findings] },
  };
}

export function captures(change: Partial<Captures> = {}): Captures {
  return {
    v: 1,
    commit: HEAD,
    toolchain: "node v24.22.3",
    runner: "test",
    setup: null,
    typecheck: command(TYPE_COMMAND),
    tests: tests([testCase("adds"), testCase("subtracts")]),
    lint: null,
    enumeration: null,
    coverage: null,
    checks: [],
    assertions: [{ path: "test/a.test.js", count: 4, strong: 4, hollow: 0 }],
    suppressions: [],
    ...change,
  };
}

/** Of a job that ran nothing. */
export function nothingCaptured(change: Partial<Captures> = {}): Captures {
  return captures({ typecheck: null, tests: null, assertions: [], ...change });
}

export function floorConfig(change: Record<string, unknown> = {}): FloorConfig {
  return configSchema.parse({
    floor: {
      typecheck: { command: TYPE_COMMAND },
      test: { command: TEST_COMMAND, report: "-", format: "tap" },
      ...change,
    },
  }).floor;
}

export function modify(path: string, change: Partial<Change> = {}): Change {
  return { path, previousPath: null, kind: "modify", mode: "100644", ...change };
}

/** A change of `src/a.js` with everything green; parts are replaced by the test. */
export function floorInput(change: Partial<FloorInput> = {}): FloorInput {
  return {
    subject: "chunk",
    commit: HEAD,
    captures: captures(),
    baseline: captures({ commit: FORK }),
    tip: null,
    base: null,
    scope: { allowed: ["src/a.js", "test/a.test.js"], protectedAllowed: [], requiresTests: false },
    changes: [modify("src/a.js")],
    expectedChecks: [],
    config: floorConfig(),
    protectedPatterns: [],
    ci: null,
    ...change,
  };
}
