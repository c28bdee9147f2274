/**
 * Raw results gathered on one commit by a floor job. A capture is data about a run of untrusted
 * code: the gates in `src/floor` decide what it is worth.
 */
import { z } from "zod";

const count = z.number().int().min(0);

export const commandCaptureSchema = z.strictObject({
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

export const testCaseSchema = z.strictObject({
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
export const testReportSchema = z.strictObject({
  problems: z.array(z.string().max(1000)).max(100),
  /** How many tests the report itself announces; null when it does not say. */
  announced: count.nullable(),
  cases: z.array(testCaseSchema),
});
export type TestReport = z.infer<typeof testReportSchema>;

export const lintFindingSchema = z.strictObject({
  code: z.string(),
  package: z.string(),
  path: z.string(),
  message: z.string(),
  line: z.number().int().min(1).optional(),
});
export type LintFinding = z.infer<typeof lintFindingSchema>;

export const lintReportSchema = z.strictObject({
  problems: z.array(z.string().max(1000)).max(100),
  findings: z.array(lintFindingSchema),
});
export type LintReport = z.infer<typeof lintReportSchema>;

export const targetSchema = z.strictObject({ package: z.string(), kind: z.string(), target: z.string() });
export type Target = z.infer<typeof targetSchema>;

const percent = z.number().min(0).max(100).nullable();
export const coverageSchema = z.strictObject({
  problems: z.array(z.string().max(1000)).max(100),
  lines: percent,
  branches: percent,
  functions: percent,
  statements: percent,
});
export type Coverage = z.infer<typeof coverageSchema>;

export const checkCaptureSchema = z.strictObject({
  /** A chunk's id, or `acceptance`. */
  owner: z.string(),
  /** Position within the owner's checks, from 0. */
  index: count,
  desc: z.string(),
  expectExit: count.max(255),
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
  setup: commandCaptureSchema.nullable(),
  typecheck: commandCaptureSchema.nullable(),
  tests: z.strictObject({ capture: commandCaptureSchema, report: testReportSchema }).nullable(),
  lint: z.strictObject({ capture: commandCaptureSchema, report: lintReportSchema }).nullable(),
  enumeration: z.strictObject({ capture: commandCaptureSchema, targets: z.array(targetSchema) }).nullable(),
  coverage: z.strictObject({ capture: commandCaptureSchema, report: coverageSchema }).nullable(),
  checks: z.array(checkCaptureSchema),
  /** Assertions counted in test files: path -> number. */
  assertions: z.array(z.strictObject({ path: z.string(), count })),
  /** Suppressions (`eslint-disable`, `@ts-ignore`, …) counted in source files: path -> number. */
  suppressions: z.array(z.strictObject({ path: z.string(), count })),
});
export type Captures = z.infer<typeof capturesSchema>;
