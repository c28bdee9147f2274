/**
 * Raw results gathered on one commit by a floor job. A capture is data about a run of untrusted
 * code: the gates in `src/floor` decide what it is worth.
 */
import { z } from "zod";
import { floorConfigSchema } from "./config.ts";

const count = z.number().int().min(0);

const commandCaptureSchema = z.strictObject({
  command: z.string(),
  /** null when the process did not exit by itself. */
  exit: count.max(255).nullable(),
  signal: z.string().max(20).nullable(),
  timedOut: z.boolean(),
  /** Why the process could not be started at all. */
  spawnError: z.string().max(1000).nullable(),
  durationMs: count,
  /** The last 16,384 characters of standard output and error, interleaved. */
  output: z.string().max(20_000),
  outputBytes: count,
});
export type CommandCapture = z.infer<typeof commandCaptureSchema>;

const testCaseSchema = z.strictObject({
  package: z.string(),
  kind: z.string(),
  /** The test target: a file, suite or binary. */
  target: z.string(),
  name: z.string(),
  status: z.enum(["passed", "failed", "skipped"]),
  message: z.string().max(4000).optional(),
  path: z.string().optional(),
  line: z.number().int().min(1).optional(),
});
export type TestCase = z.infer<typeof testCaseSchema>;

/** What a report reader made of a report; `problems` non-empty = the capture failed, never a pass. */
const testReportSchema = z.strictObject({
  problems: z.array(z.string().max(1000)).max(100),
  /** How many tests the report itself announces; null when it does not say. */
  announced: count.nullable(),
  cases: z.array(testCaseSchema),
});
export type TestReport = z.infer<typeof testReportSchema>;

const lintFindingSchema = z.strictObject({
  code: z.string(),
  package: z.string(),
  path: z.string(),
  message: z.string(),
  line: z.number().int().min(1).optional(),
});
export type LintFinding = z.infer<typeof lintFindingSchema>;

const lintReportSchema = z.strictObject({
  problems: z.array(z.string().max(1000)).max(100),
  findings: z.array(lintFindingSchema),
});
export type LintReport = z.infer<typeof lintReportSchema>;

const targetSchema = z.strictObject({ package: z.string(), kind: z.string(), target: z.string() });
export type Target = z.infer<typeof targetSchema>;

const percent = z.number().min(0).max(100).nullable();
const coverageSchema = z.strictObject({
  problems: z.array(z.string().max(1000)).max(100),
  lines: percent,
  branches: percent,
  functions: percent,
  statements: percent,
});
export type Coverage = z.infer<typeof coverageSchema>;

const assertionCountSchema = z.strictObject({
  path: z.string(),
  count,
  /** Those that compare with an exact value (`equal`, `==`, `throws`), not mere presence (`ok`, `not null`). */
  strong: count.optional(),
  /** Tests of the file that assert nothing. */
  hollow: count.optional(),
});
export type AssertionCount = z.infer<typeof assertionCountSchema>;

/** Least percentages; an absent one is not demanded. `problem` = the file is there and cannot be read. */
const thresholdsSchema = z.strictObject({
  lines: z.number().min(0).max(100).optional(),
  branches: z.number().min(0).max(100).optional(),
  functions: z.number().min(0).max(100).optional(),
  statements: z.number().min(0).max(100).optional(),
  problem: z.string().max(1000).optional(),
});
export type CoverageThresholds = z.infer<typeof thresholdsSchema>;

const checkCaptureSchema = z.strictObject({
  /** A chunk's id, or ACCEPTANCE_OWNER (./criteria.ts). */
  owner: z.string(),
  /** Position within the owner's checks, from 0. */
  index: count,
  desc: z.string(),
  expectExit: count.max(255),
  /** Repository-relative folder the command ran in; absent = the root. */
  cwd: z.string().optional(),
  capture: commandCaptureSchema,
});
export type CheckCapture = z.infer<typeof checkCaptureSchema>;

export const capturesSchema = z.strictObject({
  v: z.literal(1),
  /** The commit everything below was gathered on: HEAD of a clean tree. */
  commit: z.string(),
  /** e.g. `node v24.22.3`; `unknown` is refused at binding. */
  toolchain: z.string(),
  /** Runner image and version, for people. */
  runner: z.string(),
  /** The commands in force: the configuration's, and for what it leaves out the detected ones. */
  floor: floorConfigSchema.optional(),
  setup: commandCaptureSchema.nullable(),
  typecheck: commandCaptureSchema.nullable(),
  tests: z
    .strictObject({
      capture: commandCaptureSchema,
      report: testReportSchema,
      /** Further runs of the same command on the same commit: a test that fails in one of them is flaky. */
      reruns: z.array(testReportSchema).max(10).optional(),
    })
    .nullable(),
  lint: z.strictObject({ capture: commandCaptureSchema, report: lintReportSchema }).nullable(),
  enumeration: z
    .strictObject({
      capture: commandCaptureSchema,
      targets: z.array(targetSchema),
      problems: z.array(z.string().max(1000)).max(100).optional(),
    })
    .nullable(),
  coverage: z.strictObject({ capture: commandCaptureSchema, report: coverageSchema }).nullable(),
  /** What the commit's own `.coverage-thresholds.json` demands; only the fork commit's copy counts. */
  thresholds: thresholdsSchema.nullable().optional(),
  checks: z.array(checkCaptureSchema),
  /** Assertions counted in test files. */
  assertions: z.array(assertionCountSchema),
  /** Suppressions (`eslint-disable`, `@ts-ignore`, …) counted in source files: path -> number. */
  suppressions: z.array(z.strictObject({ path: z.string(), count })),
});
export type Captures = z.infer<typeof capturesSchema>;
