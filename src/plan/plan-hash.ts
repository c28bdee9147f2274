import { createHash } from "node:crypto";
import { formatCanonicalJson } from "../contracts/canonical-json.ts";
import type { Plan } from "../contracts/plan.ts";

/**
 * What `/approve` binds: chunks, acceptance and the intent's text, as 64 hex digits. A revision that
 * differs only in its baseline or its numbers has the same hash, so an approval carries over.
 */
export function formatPlanHash(plan: Pick<Plan, "chunks" | "acceptance">, intentText: string): string {
  const bound = formatCanonicalJson({ acceptance: plan.acceptance, chunks: plan.chunks, intent: intentText });
  return createHash("sha256").update(bound).digest("hex");
}
