import type { Captures } from "../../contracts/captures.ts";
import { formatBranch } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import type { JobState } from "../../engine/state.ts";
import { checkCaptures, formatBaseline } from "../../floor/baseline.ts";
import type { RunSession } from "../run-session.ts";

/** Binds the captures of the fork commit as the run's baseline; it fails closed. */
export async function interpretBaseline(
  session: RunSession,
  job: JobState,
  captures: Captures,
): Promise<readonly Fact[]> {
  const { state, fleet } = session;
  const problems = checkCaptures(captures).map((problem) => problem.message);
  if (captures.commit !== state.run.fork)
    problems.push(`It was captured on ${captures.commit}, not on the fork commit ${state.run.fork}.`);
  if (problems.length > 0) return [{ kind: "BaselineRefused", job: job.job, problems }];
  const baseline = formatBaseline(captures, formatBranch({ kind: "integration", run: state.run.run }));
  const document = await fleet.store.putDocument(`${JSON.stringify(captures, null, 1)}\n`);
  return [
    {
      kind: "BaselineBound",
      job: job.job,
      baseline,
      document,
      unconfigured: listUnconfigured(captures),
      notes: listNotes(captures),
    },
  ];
}

/** What the floor cannot check here, which forces a person's approval (gates 0 and 2 to 4). */
export function listUnconfigured(captures: Captures): readonly string[] {
  const missing: string[] = [];
  if (captures.tests === null) missing.push("tests");
  if (captures.typecheck === null) missing.push("type check");
  if (captures.lint === null) missing.push("lint");
  return missing;
}

/** Said in the plan: a red or empty baseline is no fault of this run, and people should know. */
export function listNotes(captures: Captures): readonly string[] {
  const notes: string[] = [];
  const failed = captures.tests?.report.cases.filter((test) => test.status === "failed").length ?? 0;
  if (failed > 0) notes.push(`${failed} tests fail already on the source branch.`);
  if (captures.typecheck !== null && captures.typecheck.exit !== 0)
    notes.push("The type check fails already on the source branch.");
  return notes;
}
