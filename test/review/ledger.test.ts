import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type {
  CriterionResult,
  FindingResult,
  ReviewResult,
  VerifiedEvidence,
} from "../../src/contracts/review-result.ts";
import { classifyFindings, isChurning, type LedgerClass, type LedgerEntry } from "../../src/review/ledger.ts";

const OLD = { "src/a.js": "export const a = 1;\nexport const b = 2;\n", "test/a.test.js": "assert a is 1\n" };
const NEW = { ...OLD, "src/a.js": "// moved down\nexport const a = 1;\nexport const c = 3;\n" };

const at = (path: string, quote: string): VerifiedEvidence => ({ path, start: 1, end: 1, quote, changed: true });
const oldLine = at("src/a.js", "export const a = 1;");
const newLine = at("src/a.js", "export const c = 3;");
const goneLine = at("src/a.js", "export const b = 2;");

const pass = (criterion: string, index = 0, proof: VerifiedEvidence = oldLine): CriterionResult => ({
  index,
  criterion,
  result: "pass",
  implementation: [proof],
  tests: [{ check: 0, desc: "tests pass" }],
});
const fail = (criterion: string, where: VerifiedEvidence | null, index = 0): CriterionResult => ({
  index,
  criterion,
  result: "fail",
  implementation: [],
  tests: [],
  expected: "e",
  found: "f",
  where,
});
const blocking = (title: string, where: VerifiedEvidence): FindingResult => ({
  severity: "blocking",
  title,
  expected: "",
  found: "",
  where,
});
function verdict(criteria: readonly CriterionResult[], findings: readonly FindingResult[] = []): ReviewResult {
  const failed = criteria.some((one) => one.result === "fail") || findings.some((one) => one.severity === "blocking");
  return { outcome: failed ? "fail" : "pass", criteria, findings, warnings: [], summary: "", chunks: [] };
}

type Files = Readonly<Record<string, string>>;

function classify(
  now: ReviewResult,
  earlier: readonly ReviewResult[],
  before: Files = OLD,
  after: Files = NEW,
): readonly LedgerEntry[] {
  return classifyFindings({
    now,
    earlier,
    readBefore: (path) => before[path] ?? null,
    readNow: (path) => after[path] ?? null,
    sameTree: before === after,
  });
}

describe("a failed criterion", () => {
  it.each<readonly [string, LedgerClass, CriterionResult, readonly ReviewResult[]]>([
    ["points at code that came with the fix", "introduced-by-fix", fail("x", newLine), [verdict([pass("x")])]],
    ["failed before", "repeat", fail("x", newLine), [verdict([fail("x", goneLine)])]],
    ["failed two reviews ago", "repeat", fail("x", oldLine), [verdict([fail("x", null)]), verdict([pass("x")])]],
    ["was passed on the same lines", "contradicted", fail("x", oldLine), [verdict([pass("x")])]],
    ["is met nowhere though the former proof still stands", "contradicted", fail("x", null), [verdict([pass("x")])]],
    ["is met nowhere since its proof went", "introduced-by-fix", fail("x", null), [verdict([pass("x", 0, goneLine)])]],
    ["was not asked before, about old code", "new-latent", fail("x", oldLine), [verdict([pass("y")])]],
    ["has another number since the plan changed", "repeat", fail("x", oldLine, 3), [verdict([fail("x", oldLine, 0)])]],
    ["has the number of another one", "new-latent", fail("x", oldLine, 0), [verdict([fail("y", oldLine, 0)])]],
  ])("that %s is %s", (_name, expected, criterion, earlier) => {
    expect(classify(verdict([criterion]), earlier).map((entry) => entry.class)).toEqual([expected]);
  });
});

describe("a blocking finding", () => {
  const before = (...findings: readonly FindingResult[]): readonly ReviewResult[] => [verdict([pass("x")], findings)];
  it.each<readonly [string, LedgerClass, FindingResult, readonly ReviewResult[]]>([
    ["nobody minded on old code", "new-latent", blocking("Leaks a key", oldLine), before()],
    ["about code of this attempt", "introduced-by-fix", blocking("Leaks a key", newLine), before()],
    [
      "known in other words' case and punctuation",
      "repeat",
      blocking("leaks: a key!", newLine),
      before(blocking("Leaks a key", oldLine)),
    ],
    [
      "about the very lines another one blocked on",
      "repeat",
      blocking("Key is printed", oldLine),
      before(blocking("Leaks a key", oldLine)),
    ],
  ])("%s is %s", (_name, expected, finding, earlier) => {
    expect(classify(verdict([pass("x")], [finding]), earlier).map((entry) => entry.class)).toEqual([expected]);
  });

  it("is found again wherever its lines moved to, and whatever ends them", () => {
    const crlf = { "src/a.js": "one\r\n\r\nexport const c = 3;  \r\n" };
    const entries = classify(verdict([], [blocking("t", newLine)]), before(), crlf);
    expect(entries.map((entry) => entry.class)).toEqual(["new-latent"]);
  });

  it("is no part of the ledger when it is a warning", () => {
    expect(classify(verdict([pass("x")], [{ ...blocking("t", newLine), severity: "warning" }]), before())).toEqual([]);
  });
});

describe("a later reviewer", () => {
  const earlier = [verdict([fail("x", oldLine), pass("y", 1)], [blocking("Leaks a key", oldLine)])];
  const later = verdict([pass("x"), pass("y", 1)]);

  it("contradicts what an earlier one found on the very same tree", () => {
    expect(classify(later, earlier, OLD, OLD).map(({ title, class: kind }) => [title, kind])).toEqual([
      ["x", "contradicted"],
      ["Leaks a key", "contradicted"],
    ]);
  });

  it("contradicts nobody after a fix", () => {
    expect(classify(later, earlier)).toEqual([]);
  });
});

describe("the ledger", () => {
  it("is empty for the first review, and whatever void verdicts came before", () => {
    const now = verdict([fail("x", oldLine)]);
    expect(classify(now, [])).toEqual([]);
    expect(classify(now, [{ outcome: "void", reasons: ["r"] }])).toEqual([]);
    expect(classify({ outcome: "void", reasons: ["r"] }, [now])).toEqual([]);
  });

  it("holds every failed criterion and every blocking finding of a later review exactly once", () => {
    const place = fc.constantFrom(oldLine, newLine, goneLine);
    const criterion = fc
      .tuple(fc.nat({ max: 4 }), fc.option(place), fc.boolean())
      .map(([index, where, ok]) => (ok ? pass(`c${index}`, index) : fail(`c${index}`, where, index)));
    const criteria = fc.uniqueArray(criterion, { selector: (one) => one.index });
    const finding = fc.tuple(fc.constantFrom("a", "b"), place).map(([title, where]) => blocking(title, where));
    const any = fc.tuple(criteria, fc.array(finding, { maxLength: 3 })).map(([c, f]) => verdict(c, f));
    fc.assert(
      fc.property(any, fc.array(any, { minLength: 1, maxLength: 3 }), (now, earlier) => {
        if (now.outcome === "void") return;
        const failed = now.criteria.filter((one) => one.result === "fail").length + now.findings.length;
        expect(classify(now, earlier)).toHaveLength(failed);
      }),
    );
  });
});

describe("churn", () => {
  const entry = (kind: LedgerClass) => ({ ledger: [{ key: "k", title: "t", class: kind }], brokeFloor: false });
  const broke = { ledger: [], brokeFloor: true };
  it.each([
    ["two fixes in a row that bring something new", [entry("introduced-by-fix"), entry("introduced-by-fix")], true],
    ["a fix that breaks the floor, and one that brings something new", [broke, entry("introduced-by-fix")], true],
    ["one such fix", [entry("introduced-by-fix")], false],
    ["two with another between", [entry("introduced-by-fix"), entry("repeat"), entry("introduced-by-fix")], false],
    ["two that were followed by another", [entry("introduced-by-fix"), broke, entry("repeat")], false],
    ["what earlier reviewers overlooked", [entry("new-latent"), entry("new-latent")], false],
    ["reviewers who disagree", [entry("contradicted"), entry("contradicted")], false],
    ["nothing yet", [], false],
  ])("is %s: %#", (_name, history, expected) => {
    expect(isChurning(history)).toBe(expected);
  });
});
