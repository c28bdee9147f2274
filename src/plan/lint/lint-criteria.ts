import { formatCanonicalJson } from "../../contracts/canonical-json.ts";
import type { Check } from "../../contracts/plan.ts";
import { formatFound, type PathPart, type ProblemList } from "../problem-list.ts";
import { alwaysSucceeds } from "./always-succeeds.ts";
import { findBriefWeakness, isVague } from "./vague-text.ts";
import type { LintContext } from "./lint-context.ts";

/** Briefs one can work from, criteria one can decide, checks that can fail, nothing twice. */
export function lintCriteria({ plan }: LintContext, problems: ProblemList): void {
  lintChecks(plan.acceptance, ["acceptance"], problems);
  const statements = plan.acceptance.map((item) => (item.kind === "assertion" ? item.desc : null));
  lintAssertions(statements, (index) => ["acceptance", index, "desc"], problems);
  lintRepeats(plan.acceptance, ["acceptance"], problems);
  for (const [index, chunk] of plan.chunks.entries()) {
    const path = ["chunks", index];
    const weakness = findBriefWeakness(chunk);
    if (weakness !== null) {
      problems.add([...path, "brief"], "generic-brief", {
        message: `the brief of ${formatFound(chunk.id)} ${weakness}; an implementer sees nothing else of the plan`,
        found: formatFound(chunk.brief),
        allowed: "what to build, where, and how it behaves",
      });
    }
    lintChecks(chunk.checks, [...path, "checks"], problems);
    lintRepeats(chunk.checks, [...path, "checks"], problems);
    const assertions = chunk.assertions ?? [];
    lintAssertions(assertions, (position) => [...path, "assertions", position], problems);
    lintRepeats(assertions, [...path, "assertions"], problems);
  }
}

function lintChecks(checks: readonly Partial<Check>[], path: readonly PathPart[], problems: ProblemList): void {
  for (const [index, { run, expect_exit: expected }] of checks.entries()) {
    if (run === undefined || (expected ?? 0) !== 0 || !alwaysSucceeds(run)) continue;
    const found = formatFound(run);
    problems.add([...path, index, "run"], "check-cannot-fail", {
      message: `the command ${found} succeeds whatever was built`,
      found,
      allowed: "a command that fails when the work is not done",
    });
  }
}

function lintAssertions(
  texts: readonly (string | null)[],
  place: (index: number) => readonly PathPart[],
  problems: ProblemList,
): void {
  for (const [index, text] of texts.entries()) {
    // A check is decided by its command, whatever its description says.
    if (text === null || !isVague(text)) continue;
    const found = formatFound(text);
    problems.add(place(index), "vague-criterion", {
      message: `the criterion ${found} does not say what would make it false`,
      found,
      allowed: "an observable fact: what happens, where, under which input",
    });
  }
}

function lintRepeats(items: readonly unknown[], path: readonly PathPart[], problems: ProblemList): void {
  const firstOf = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const key = formatCanonicalJson(item);
    const first = firstOf.get(key);
    if (first === undefined) firstOf.set(key, index);
    else {
      const message = `the same as number ${first + 1} of this list`;
      problems.add([...path, index], "repeated-criterion", {
        message,
        found: formatFound(item),
        allowed: "each criterion once",
      });
    }
  }
}
