import type { AssertionCount, Captures } from "../contracts/captures.ts";
import type { Violation } from "../contracts/floor-result.ts";
import { listChangedPaths } from "./changed-paths.ts";
import type { FloorInput } from "./floor-input.ts";
import type { MovedTests } from "./moved-tests.ts";

export interface AssertionJudgement {
  readonly violations: readonly Violation[];
  /** Groups of files (see {@link MovedTests}) that lost assertions. */
  readonly fallenGroups: ReadonlySet<string>;
}

interface Balance {
  readonly paths: string[];
  was: Counts;
  now: Counts;
}

interface Counts {
  readonly count: number;
  readonly strong: number | null;
  readonly hollow: number | null;
}

const none: Counts = { count: 0, strong: 0, hollow: 0 };

/**
 * Compares the assertions of every changed test file with the chunk's own base: neither their number
 * nor the number of exact ones may fall, and no test that asserts nothing may be added. Files between
 * which tests moved are judged together.
 */
export function judgeAssertions(input: FloorInput, moved: MovedTests): AssertionJudgement {
  const violations: Violation[] = [];
  const fallenGroups = new Set<string>();
  for (const [group, balance] of buildBalances(input, moved)) {
    const found = judgeBalance(balance);
    violations.push(...found);
    if (found.some((violation) => violation.rule !== "test-without-assertion")) fallenGroups.add(group);
  }
  return { violations, fallenGroups };
}

function buildBalances(input: FloorInput, moved: MovedTests): ReadonlyMap<string, Balance> {
  const base: Captures = input.base ?? input.tip ?? input.baseline;
  const before = indexCounts(base.assertions);
  const after = indexCounts(input.captures.assertions);
  const balances = new Map<string, Balance>();
  for (const path of listChangedPaths(input.changes)) {
    const was = before.get(path);
    const now = after.get(path);
    if (was === undefined && now === undefined) continue;
    const group = moved.groups.groupOf(path);
    const balance = balances.get(group) ?? { paths: [], was: none, now: none };
    balance.paths.push(path);
    balance.was = add(balance.was, was);
    balance.now = add(balance.now, now);
    balances.set(group, balance);
  }
  return balances;
}

function judgeBalance({ paths, was, now }: Balance): readonly Violation[] {
  const path = paths[0] ?? "";
  const where = paths.length === 1 ? path : `${paths.length} files that tests moved between (${paths.join(", ")})`;
  if (now.count < was.count)
    return [
      {
        gate: 4,
        rule: "fewer-assertions",
        message: `Fewer assertions in ${where}: ${was.count} before, ${now.count} now.`,
        path,
        was: String(was.count),
        now: String(now.count),
        hint: "Keep what the tests demand; add to it.",
      },
    ];
  if (was.strong !== null && now.strong !== null && now.strong < was.strong)
    return [
      {
        gate: 4,
        rule: "weaker-assertions",
        message: `Weaker assertions in ${where}: ${was.strong} compared with an exact value before, ${now.strong} do now.`,
        path,
        was: String(was.strong),
        now: String(now.strong),
        hint: "Compare with the exact expected value, as before.",
      },
    ];
  if (was.hollow !== null && now.hollow !== null && now.hollow > was.hollow)
    return [
      {
        gate: 4,
        rule: "test-without-assertion",
        message: `More tests that assert nothing in ${where}: ${was.hollow} before, ${now.hollow} now.`,
        path,
        was: String(was.hollow),
        now: String(now.hollow),
        hint: "A test must be able to fail: assert what it is about.",
      },
    ];
  return [];
}

function indexCounts(counts: readonly AssertionCount[]): ReadonlyMap<string, Counts> {
  return new Map(
    counts.map(({ path, count, strong, hollow }) => [path, { count, strong: strong ?? null, hollow: hollow ?? null }]),
  );
}

function add(a: Counts, b: Counts | undefined): Counts {
  if (b === undefined) return a;
  return { count: a.count + b.count, strong: sum(a.strong, b.strong), hollow: sum(a.hollow, b.hollow) };
}

/** Unknown on one side is unknown in all. */
function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
