import { type JobFeedback, jobFeedbackSchema } from "../../contracts/job.ts";
import { type JobContext, JobStopped } from "./job-context.ts";

/** What was wrong with former tries; null on a first one. @throws JobStopped when it cannot be read. */
export async function loadFeedback(context: JobContext): Promise<JobFeedback | null> {
  const text = await context.loadDocument("feedback");
  if (text === null) return null;
  try {
    return jobFeedbackSchema.parse(JSON.parse(text));
  } catch {
    throw new JobStopped("the feedback document of the request is not valid");
  }
}
