import { finalReview } from "./final-review.ts";
import { implement } from "./implement.ts";
import type { JobContext, RoleOutcome } from "./job-context.ts";
import { planReview } from "./plan-review.ts";
import { plan } from "./plan.ts";
import { review } from "./review.ts";

export async function runRole(context: JobContext): Promise<RoleOutcome> {
  switch (context.request.role) {
    case "baseline":
    case "floor":
      // Only these jobs need the report readers.
      return (await import("./capture.ts")).capture(context);
    case "plan":
      return plan(context);
    case "plan-review":
      return planReview(context);
    case "implement":
      return implement(context);
    case "review":
      return review(context);
    case "final-review":
      return finalReview(context);
  }
}
