import type { Dispatch } from "../../engine/action.ts";
import { isAgentJob } from "../../engine/derive/agent-job.ts";
import type { Fact } from "../../engine/fact.ts";

type EffectStarted = Extract<Fact, { kind: "EffectStarted" }>;

/** What is noted before a job is sent out: when the process knows of its run at last, another thing may be right to do. */
export function describeDispatch({
  subject,
  purpose,
  attempt,
  request,
}: Dispatch): Pick<EffectStarted, "purpose" | "attempt" | "agent"> {
  return {
    purpose,
    ...(attempt === null ? {} : { attempt }),
    ...(isAgentJob(subject) && request.agent !== undefined ? { agent: request.agent } : {}),
  };
}
