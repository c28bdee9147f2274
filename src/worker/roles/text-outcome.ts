import type { Asked } from "./ask-agent.ts";
import type { RoleOutcome } from "./job-context.ts";

/** For roles whose payload is the agent's own JSON, which the App validates. */
export function formatTextOutcome(asked: Asked, summary: string): RoleOutcome {
  const { usage, promptVersion } = asked;
  if (asked.kind !== "answer") return { outcome: asked.kind, cause: asked.cause, usage, promptVersion };
  return { outcome: "done", payload: { kind: "text", text: asked.text }, summary, usage, promptVersion };
}
