import { classifyFailure } from "../presets/classify-failure.ts";
import type { AgentAnswer } from "./run-agent.ts";

type Failed = Extract<AgentAnswer, { kind: "unusable" | "external" }>;

/**
 * A program that gave nothing while its provider refused it is not to blame, whatever it says itself: some go on
 * asking, without a word, until their time is over.
 * @param refusal what the provider answered last, null when that was no refusal.
 */
export function blameProvider(answer: Failed, refusal: string | null): Failed {
  if (answer.kind === "external" || refusal === null) return answer;
  const external = classifyFailure(refusal);
  return external === null
    ? answer
    : { ...answer, ...external, kind: "external", cause: `${external.cause}; ${answer.cause}` };
}
