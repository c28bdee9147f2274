import type { Check, Chunk } from "../../contracts/plan.ts";

/** One thing that a revision took from or gave to a chunk. */
export interface ChangeDetail {
  readonly sign: "+" | "−";
  readonly field: "dep" | "file" | "check" | "assertion" | "title" | "tier" | "requires_tests";
  readonly text: string;
}

/** What differs between two versions of a chunk, except its brief. */
export function listDetails(old: Chunk, next: Chunk): readonly ChangeDetail[] {
  const list = (field: ChangeDetail["field"], before: readonly string[], after: readonly string[]): ChangeDetail[] => [
    ...before.filter((text) => !after.includes(text)).map((text) => ({ sign: "−", field, text }) as const),
    ...after.filter((text) => !before.includes(text)).map((text) => ({ sign: "+", field, text }) as const),
  ];
  return [
    ...list("title", [old.title], [next.title]),
    ...list("tier", [old.tier], [next.tier]),
    ...list("dep", old.deps ?? [], next.deps ?? []),
    ...list("file", old.files_touched, next.files_touched),
    ...list("check", old.checks.map(describeCheck), next.checks.map(describeCheck)),
    ...list("assertion", old.assertions ?? [], next.assertions ?? []),
    ...list("requires_tests", [String(old.requires_tests ?? false)], [String(next.requires_tests ?? false)]),
  ];
}

function describeCheck(check: Check): string {
  const where = check.cwd === undefined ? "" : ` (in ${check.cwd})`;
  const expected = check.expect_exit ?? 0;
  return `${check.desc}: ${check.run}${where}${expected === 0 ? "" : ` exits ${expected}`}`;
}

/** Lines both texts begin or end with are left out; the others are marked `-` and `+`. */
export function diffLines(old: string, next: string): string {
  const before = old.split("\n");
  const after = next.split("\n");
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
  }
  return [
    ...before.slice(head, before.length - tail).map((line) => `- ${line}`),
    ...after.slice(head, after.length - tail).map((line) => `+ ${line}`),
  ].join("\n");
}
