import { buildCheck } from "./build-check.ts";
import type { CheckText } from "./check-text.ts";

/** A check whose subject the state does not hold (a plan revision may have replaced it meanwhile). */
export function renderUnknown(what: string): CheckText {
  return buildCheck({
    title: `Nothing is known about ${what} any more`,
    summary: "It was replaced before its result was shown.",
    conclusion: "neutral",
  });
}
