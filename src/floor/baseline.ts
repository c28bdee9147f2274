/** The plan's baseline: sets of the fork commit's captures, as hashes, and whether captures still bind to it. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Captures } from "../contracts/captures.ts";
import { isBlank } from "../contracts/blank.ts";
import { isSha } from "../contracts/ids.ts";
import type { Baseline } from "../contracts/plan.ts";
import { listTestProblems } from "./capture-problems.ts";
import { describeExit, exitedWith } from "./describe-exit.ts";
import { listLintProblems } from "./gates/no-new-lint.ts";
import { listTargets } from "./targets.ts";
import { indexCapturedTests } from "./test-identity.ts";
import { compareToolchains } from "./toolchain.ts";

export interface BaselineProblem {
  readonly rule: string;
  readonly message: string;
}

/** @param integrationBranch for the displayed `ref`; the commit's name is the one that counts. */
export function formatBaseline(captures: Captures, integrationBranch: string): Baseline {
  return {
    ref: `${integrationBranch}@fork`,
    commit_oid: captures.commit,
    toolchain: captures.toolchain,
    test_passlist_hash: hashSet(listPassing(captures)),
    clippy_warnings_hash: hashSet(listLint(captures)),
    enumerated_targets_hash: hashSet(listTargetItems(captures)),
  };
}

/**
 * Why these captures do not bind to a plan's baseline; empty = they do. Fails closed: whatever is
 * blank, unknown or unlike is a problem.
 */
export function checkBaseline(baseline: Baseline, captures: Captures): readonly BaselineProblem[] {
  const problems = [...checkProvenance(baseline), ...checkCaptures(captures)];
  if (captures.commit !== baseline.commit_oid)
    problems.push({
      rule: "baseline-other-commit",
      message: `The captures are of ${captures.commit}, the baseline of ${baseline.commit_oid}.`,
    });
  if (compareToolchains(baseline.toolchain, captures.toolchain) === "different")
    problems.push({
      rule: "baseline-toolchain",
      message: `The captures come from ${captures.toolchain}, the baseline from ${baseline.toolchain}.`,
    });
  const actual = formatBaseline(captures, "");
  const hashes = ["test_passlist_hash", "clippy_warnings_hash", "enumerated_targets_hash"] as const;
  for (const field of hashes)
    if (baseline[field] !== actual[field])
      problems.push({
        rule: "baseline-hash",
        message: `${field} is ${baseline[field]}; the captures give ${actual[field]}.`,
      });
  return problems;
}

function checkProvenance(baseline: Baseline): BaselineProblem[] {
  const problems: BaselineProblem[] = [];
  for (const [field, value] of Object.entries(baseline) as ReadonlyArray<[string, string]>)
    if (isBlank(value)) problems.push({ rule: "baseline-blank", message: `${field} is blank.` });
  if (!isSha(baseline.commit_oid))
    problems.push({ rule: "baseline-oid", message: "commit_oid is no full object name." });
  if (!/^\S.*@fork$/u.test(baseline.ref))
    problems.push({ rule: "baseline-ref", message: "ref is not `<integration branch>@fork`." });
  if (baseline.toolchain.trim().toLowerCase() === "unknown")
    problems.push({ rule: "baseline-toolchain", message: "The toolchain is unknown." });
  return problems;
}

/** Whether captures may become a baseline at all. */
export function checkCaptures(captures: Captures): BaselineProblem[] {
  const problems: BaselineProblem[] = [];
  if (isBlank(captures.toolchain) || captures.toolchain.trim().toLowerCase() === "unknown")
    problems.push({ rule: "capture-toolchain", message: "The captures do not say which toolchain made them." });
  if (!isSha(captures.commit)) problems.push({ rule: "capture-commit", message: "The captures name no full commit." });
  // Where nothing can be installed no attempt could ever pass, and no implementer is to blame for it.
  if (captures.setup !== null && !exitedWith(captures.setup, 0))
    problems.push({
      rule: "capture-setup",
      message: `The setup command \`${captures.setup.command}\` failed: ${describeExit(captures.setup)}.`,
    });
  if (captures.tests !== null)
    for (const problem of listTestProblems(captures.tests))
      problems.push({ rule: "capture-tests", message: `Tests: ${problem}.` });
  if (captures.lint !== null)
    for (const problem of listLintProblems(captures.lint))
      problems.push({ rule: "capture-lint", message: `Lint: ${problem}.` });
  for (const problem of captures.enumeration?.problems ?? [])
    problems.push({ rule: "capture-enumeration", message: `Enumeration: ${problem}.` });
  return problems;
}

function listPassing(captures: Captures): readonly (readonly string[])[] {
  return [...indexCapturedTests(captures).values()]
    .filter((test) => test.status === "passed")
    .map(({ case: test }) => [test.package, test.kind, test.target, test.name]);
}

function listLint(captures: Captures): readonly (readonly string[])[] {
  return (captures.lint?.report.findings ?? []).map((finding) => [
    finding.code,
    finding.package,
    finding.path,
    finding.message,
  ]);
}

function listTargetItems(captures: Captures): readonly (readonly string[])[] {
  return listTargets(captures).map((target) => [target.package, target.kind, target.target]);
}

/**
 * `sha256:<hex>` over a set: items sorted by their bytes, duplicates once, each preceded by its length
 * as 8 bytes big-endian. An item is its fields, each framed in the same way, so that no two different
 * items have the same bytes.
 */
export function hashSet(items: readonly (readonly string[])[]): string {
  const framed = items.map((fields) => Buffer.concat(fields.flatMap((field) => frame(Buffer.from(field, "utf8")))));
  const sorted = framed.sort((a, b) => Buffer.compare(a, b));
  const hash = createHash("sha256");
  let previous: Buffer | null = null;
  for (const item of sorted) {
    if (previous !== null && previous.equals(item)) continue;
    for (const part of frame(item)) hash.update(part);
    previous = item;
  }
  return `sha256:${hash.digest("hex")}`;
}

function frame(bytes: Buffer): readonly Buffer[] {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(bytes.length));
  return [length, bytes];
}
