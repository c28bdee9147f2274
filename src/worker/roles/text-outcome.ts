import type { Asked } from "./ask-agent.ts";
import type { RoleOutcome } from "./job-context.ts";

/** For roles whose payload is the agent's own JSON, which the App validates. */
export function formatTextOutcome(asked: Asked, summary: string): RoleOutcome {
  const { usage, promptVersion } = asked;
  if (asked.kind !== "answer") return formatFailedAnswer(asked);
  return { outcome: "done", payload: { kind: "text", text: asked.text }, summary, usage, promptVersion };
}

/** Of an agent that gave nothing: why, and what ends it where that is known. */
export function formatFailedAnswer(asked: Exclude<Asked, { kind: "answer" }>): RoleOutcome {
  const { kind: outcome, cause, usage, promptVersion, remedy } = asked;
  return { outcome, cause, usage, promptVersion, ...(remedy === undefined ? {} : { remedy }) };
}
