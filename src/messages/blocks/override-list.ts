import { formatCode } from "../../contracts/markdown.ts";
import type { OverrideState } from "../../engine/state.ts";
import { cutText, formatSentence } from "./sentence.ts";

/** Who overruled which gate, and why; "" when nobody did. */
export function formatOverrideList(overrides: readonly OverrideState[]): string {
  return overrides
    .map(
      (one) => `- ⚠️ ${formatCode(one.by)} overruled ${formatCode(one.gate)}: ${formatSentence(cutText(one.why, 500))}`,
    )
    .join("\n");
}
