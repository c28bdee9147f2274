import { executionPlanSchema } from "../contracts/execution-plan-schema.ts";
import type { ExecutionPlan } from "../contracts/execution-plan.ts";
import type { Problem } from "../contracts/problem.ts";
import { type ReadLimits, readJson } from "./json/read-json.ts";
import { locateProblems } from "./json/source-map.ts";
import { formatFound, ProblemList } from "./problem-list.ts";
import { checkAgents, type SoundAgent } from "./rules/check-agents.ts";
import { checkPath } from "./rules/check-paths.ts";
import { compileShape } from "./shape/compile-shape.ts";

const executionPlanShape = compileShape(executionPlanSchema);

interface SoundExecutionPlan {
  readonly run_id?: string;
  readonly target_dir?: string | null;
  readonly agents?: readonly (SoundAgent | undefined)[];
}

export type ExecutionPlanParsing =
  | { readonly plan: ExecutionPlan; readonly problems: readonly [] }
  | { readonly plan: null; readonly problems: readonly Problem[] };

/** Reads an execution plan from its text or UTF-8 bytes; the counterpart of `parsePlan`. */
export function parseExecutionPlan(input: string | Uint8Array, limits: ReadLimits = {}): ExecutionPlanParsing {
  const reading = readJson(input, limits);
  if (!reading.ok) return { plan: null, problems: reading.problems };
  const problems = validateExecutionPlan(reading.value);
  if (problems.length === 0) return { plan: reading.value as ExecutionPlan, problems: [] };
  return { plan: null, problems: locateProblems(reading.text, problems) };
}

/** Everything that keeps a value from being an execution plan, as `validatePlan` reports it. */
export function validateExecutionPlan(value: unknown): readonly Problem[] {
  const problems = new ProblemList();
  executionPlanShape.check(value, [], problems);
  const sound = (problems.isEmpty ? value : (executionPlanShape.prune(value) ?? {})) as SoundExecutionPlan;
  if (sound.run_id !== undefined) checkRunDay(sound.run_id, problems);
  if (typeof sound.target_dir === "string" && sound.target_dir !== ".") {
    checkPath(sound.target_dir, ["target_dir"], problems);
  }
  if (sound.agents !== undefined) checkAgents(sound.agents, problems);
  return problems.list();
}

const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The pattern allows the 31st of February and run 000. */
function checkRunDay(runId: string, problems: ProblemList): void {
  const parts = /^(\d{4})-(\d\d)-(\d\d)-(\d{3,4})$/.exec(runId)?.slice(1).map(Number);
  if (parts === undefined) return;
  const [year, month, day, number] = parts as [number, number, number, number];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && !leap ? 28 : (daysOfMonth[month - 1] ?? 0);
  const reason = day < 1 || day > days ? "names a day that does not exist" : number < 1 ? "counts from 001" : null;
  if (reason === null) return;
  const found = formatFound(runId);
  problems.add(["run_id"], "run-id", {
    message: `run_id ${found} ${reason}`,
    found,
    allowed: "YYYY-MM-DD-NNN, from 001",
  });
}
