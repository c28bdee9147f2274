import type { Chunk, Plan } from "../../contracts/plan.ts";
import { parsePlan } from "../../plan/parse-plan.ts";
import { type JobContext, JobStopped } from "./job-context.ts";

/** The plan revision a request names. @throws JobStopped when there is none or it is no valid plan. */
export async function loadPlan(context: JobContext): Promise<Plan> {
  const text = await context.loadDocument("plan");
  if (text === null) throw new JobStopped(`a ${context.request.role} job needs a plan, and its request names none`);
  const parsed = parsePlan(text);
  if (parsed.plan === null)
    throw new JobStopped(`the plan of the request is not valid: ${parsed.problems[0]?.message ?? "unknown problem"}`);
  return parsed.plan;
}

/** @throws JobStopped when the request names no chunk, or one the plan does not have. */
export function findChunk(context: JobContext, plan: Plan): Chunk {
  const chunk = plan.chunks.find((one) => one.id === context.request.chunk);
  if (chunk === undefined)
    throw new JobStopped(`the plan has no chunk "${context.request.chunk ?? ""}" that the request names`);
  return chunk;
}

/** @throws JobStopped when the request names no commit to measure the change against. */
export function findBase(context: JobContext): string {
  if (context.request.base === undefined)
    throw new JobStopped("the request names no base to measure the change against");
  return context.request.base;
}
