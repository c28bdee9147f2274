/** What every language's counter reports; counted together afterwards in one way for all. */

/** An assertion that compares with an exact value is strong, one that only wants presence is weak. */
export interface FoundAssertion {
  readonly at: number;
  readonly strong: boolean;
}

/** "void": written as an assertion, but it can never fail; it is no helper either. */
export type JudgedCall = FoundAssertion | "void" | null;

export interface FoundBlock {
  /** Of a helper: the name it is called by; of a test: any text. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** A call of a plain function, by name: it may be a helper that asserts. */
export interface FoundCall {
  readonly name: string;
  readonly at: number;
}

export interface Findings {
  readonly assertions: readonly FoundAssertion[];
  readonly tests: readonly FoundBlock[];
  readonly helpers: readonly FoundBlock[];
  readonly calls: readonly FoundCall[];
}

export interface AssertionTally {
  readonly count: number;
  readonly strong: number;
  /** Tests without an assertion of their own, of a test inside, or of a helper they call. */
  readonly hollow: number;
}

/** Helpers of other files are judged by their name. */
const assertingName =
  /assert|expect|check|verif|should|ensure|must|snapshot|validate|matches|compare|equal|raises|throws/iu;

export function tallyAssertions(found: Findings): AssertionTally {
  const marks = [...found.assertions.map((assertion) => assertion.at), ...listAssertingCalls(found)].sort(
    (a, b) => a - b,
  );
  return {
    count: found.assertions.length,
    strong: found.assertions.filter((assertion) => assertion.strong).length,
    hollow: found.tests.filter((test) => !holdsMark(marks, test)).length,
  };
}

/** Places of calls that assert: by their name, or because a helper of this file does (also through another one). */
function listAssertingCalls({ assertions, helpers, calls }: Findings): readonly number[] {
  const asserting = new Set<string>();
  const direct = assertions.map((assertion) => assertion.at).sort((a, b) => a - b);
  for (const helper of helpers) if (holdsMark(direct, helper)) asserting.add(helper.name);
  for (let grown = true; grown;) {
    grown = false;
    const marks = calls
      .filter((call) => asserting.has(call.name))
      .map((call) => call.at)
      .sort((a, b) => a - b);
    for (const helper of helpers) {
      if (asserting.has(helper.name) || !holdsMark(marks, helper)) continue;
      asserting.add(helper.name);
      grown = true;
    }
  }
  const local = new Set(helpers.map((helper) => helper.name));
  return calls
    .filter((call) => asserting.has(call.name) || (!local.has(call.name) && assertingName.test(call.name)))
    .map((call) => call.at);
}

/** @param marks sorted. */
function holdsMark(marks: readonly number[], block: FoundBlock): boolean {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle] ?? 0) < block.from) low = middle + 1;
    else high = middle;
  }
  const mark = marks[low];
  return mark !== undefined && mark < block.to;
}
