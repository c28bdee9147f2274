import { formatCanonicalJson } from "../../contracts/canonical-json.ts";
import type { Plan } from "../../contracts/plan.ts";
import type { Problem } from "../../contracts/problem.ts";
import { foldPath } from "../../contracts/safe-path.ts";
import { formatFound, ProblemList } from "../problem-list.ts";

/**
 * What keeps `next` from being written after `old`: a number is never used for another content,
 * numbers grow, the feature's branches stay, and no landed chunk is dropped unless other chunks that
 * are built in this revision own all its files and so can undo it.
 */
export function verifyRevision(old: Plan, next: Plan, landed: Iterable<string> = []): readonly Problem[] {
  const problems = new ProblemList();
  verifyNumbers(old, next, problems);
  for (const key of ["source_branch", "integration_branch"] as const) {
    if (old.feature[key] === next.feature[key]) continue;
    const found = formatFound(next.feature[key]);
    const allowed = formatFound(old.feature[key]);
    problems.add(["feature", key], "feature-moved", {
      message: `feature.${key} is ${found}, but the run works on ${allowed}`,
      found,
      allowed,
    });
  }
  verifyLanded(old, next, new Set(landed), problems);
  return problems.list();
}

function verifyNumbers(old: Plan, next: Plan, problems: ProblemList): void {
  const found = formatFound(next.plan_rev);
  if (next.plan_rev === old.plan_rev) {
    if (formatCanonicalJson(old) === formatCanonicalJson(next)) return;
    problems.add(["plan_rev"], "revision-immutable", {
      message: `revision ${found} exists with another content, and a revision never changes: give this one the number ${old.plan_rev + 1}`,
      found,
      allowed: String(old.plan_rev + 1),
    });
  } else if (next.plan_rev < old.plan_rev) {
    problems.add(["plan_rev"], "revision-order", {
      message: `revision ${found} cannot follow revision ${old.plan_rev}`,
      found,
      allowed: String(old.plan_rev + 1),
    });
  }
  if (next.intent_rev >= old.intent_rev) return;
  problems.add(["intent_rev"], "revision-order", {
    message: `the intent's revision went back from ${old.intent_rev} to ${next.intent_rev}`,
    found: formatFound(next.intent_rev),
    allowed: `at least ${old.intent_rev}`,
  });
}

function verifyLanded(old: Plan, next: Plan, landed: ReadonlySet<string>, problems: ProblemList): void {
  const kept = new Set(next.chunks.map((chunk) => chunk.id));
  const dropped = old.chunks.filter((chunk) => landed.has(chunk.id) && !kept.has(chunk.id));
  if (dropped.length === 0) return;
  const pending = next.chunks.filter((chunk) => !landed.has(chunk.id));
  const owned = new Set(pending.flatMap((chunk) => chunk.files_touched.map(foldPath)));
  for (const chunk of dropped) {
    const orphans = chunk.files_touched.filter((path) => !owned.has(foldPath(path)));
    if (orphans.length === 0) continue;
    const found = formatFound(chunk.id);
    problems.add(["chunks"], "landed-dropped", {
      message: `chunk ${found} has landed and is dropped, but no chunk that is still to be built touches ${orphans.slice(0, 5).map(formatFound).join(", ")} to undo it`,
      found: `no chunk ${found}`,
      allowed: `chunk ${found}, or chunks that undo it`,
    });
  }
}
