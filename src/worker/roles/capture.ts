/** Roles `baseline` and `floor`: run the repository's commands on the commit and gather what they report. */
import type { Captures } from "../../contracts/captures.ts";
import { ACCEPTANCE_OWNER, listAcceptanceChecks } from "../../contracts/criteria.ts";
import type { Check } from "../../contracts/plan.ts";
import { CaptureRefused, gatherCaptures, type PlannedCheck } from "../capture/gather-captures.ts";
import { type JobContext, JobStopped, type RoleOutcome } from "./job-context.ts";
import { loadPlan } from "./load-plan.ts";

export async function capture(context: JobContext): Promise<RoleOutcome> {
  const plannedChecks = await listPlannedChecks(context);
  let captures: Captures;
  try {
    captures = await gatherCaptures({
      root: context.root,
      commit: context.request.commit,
      config: context.config.floor,
      plannedChecks,
      // Only the baseline tells which tests fail by chance: a test that fails now is judged by it.
      testReruns: context.request.role === "baseline" ? context.config.floor.flaky_reruns : 0,
      env: context.env,
      signal: context.signal,
      isolation: context.isolation,
    });
  } catch (error) {
    if (error instanceof CaptureRefused) throw new JobStopped(error.message);
    throw error;
  }
  const count = captures.tests?.report.cases.length ?? 0;
  return {
    outcome: "done",
    payload: { kind: "captures", captures },
    summary: `${count} tests and ${captures.checks.length} checks were captured.`,
    usage: null,
  };
}

async function listPlannedChecks(context: JobContext): Promise<readonly PlannedCheck[]> {
  const wanted = context.request.checks;
  if (wanted === undefined || (wanted.chunks.length === 0 && !wanted.acceptance)) return [];
  const plan = await loadPlan(context);
  const planned: PlannedCheck[] = [];
  for (const id of wanted.chunks) {
    const chunk = plan.chunks.find((one) => one.id === id);
    if (chunk === undefined) throw new JobStopped(`the plan has no chunk "${id}" whose checks are asked for`);
    chunk.checks.forEach((check, index) => planned.push(formatPlanned(id, index, check)));
  }
  if (wanted.acceptance)
    listAcceptanceChecks(plan.acceptance).forEach((check, index) =>
      planned.push(formatPlanned(ACCEPTANCE_OWNER, index, check)),
    );
  return planned;
}

function formatPlanned(owner: string, index: number, check: Check): PlannedCheck {
  return {
    owner,
    index,
    desc: check.desc,
    run: check.run,
    ...(check.cwd === undefined ? {} : { cwd: check.cwd }),
    expectExit: check.expect_exit ?? 0,
  };
}
