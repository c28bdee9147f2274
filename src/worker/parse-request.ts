import { type JobRequest, jobRequestSchema } from "../contracts/job.ts";
import { UserError } from "../contracts/errors.ts";

/**
 * The request of a run, checked against the two inputs that repeat parts of it (they name the run and
 * choose the job, so a request that says otherwise is refused).
 * @throws UserError when it is no request, or says something else than the inputs.
 */
export function parseRequest(inputs: {
  readonly request: string;
  readonly role: string;
  readonly job: string;
}): JobRequest {
  let value: unknown;
  try {
    value = JSON.parse(inputs.request);
  } catch {
    throw new UserError("the input `request` is not JSON");
  }
  const parsed = jobRequestSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new UserError(`the input \`request\` is no request: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`);
  }
  if (parsed.data.role !== inputs.role)
    throw new UserError(`the request is for role ${parsed.data.role}, the run for ${inputs.role}`);
  if (parsed.data.job !== inputs.job) throw new UserError("the request belongs to another job than the run");
  return parsed.data;
}
