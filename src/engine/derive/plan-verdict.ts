import type { PlanRevision, RunState } from "../state.ts";
import { deriveApprovalPolicy } from "./approval-policy.ts";

/** What has become of a plan revision, or who is to approve it. */
export type PlanVerdict =
  | { readonly kind: "approved"; readonly by: string; readonly why: string }
  /** @property rev the one that came next */
  | { readonly kind: "replaced"; readonly rev: number }
  /** A person wants another one, which is being written: this one cannot be approved any more. */
  | { readonly kind: "rewritten" }
  /** The run ended before anybody approved it. */
  | { readonly kind: "cancelled" | "over" }
  | { readonly kind: "policy" }
  | { readonly kind: "person"; readonly why: string };

export function derivePlanVerdict(state: RunState, revision: PlanRevision): PlanVerdict {
  const { approved } = state;
  if (approved?.rev === revision.rev) return { kind: "approved", by: approved.by, why: approved.why };
  const newest = state.revisions.at(-1)?.rev ?? revision.rev;
  if (newest > revision.rev) return { kind: "replaced", rev: revision.rev + 1 };
  if (state.cancelled !== null) return { kind: "cancelled" };
  if (state.merged !== null || state.ended !== null) return { kind: "over" };
  if (!state.planning.done) return { kind: "rewritten" };
  const { person, why } = deriveApprovalPolicy(state, revision);
  return person ? { kind: "person", why } : { kind: "policy" };
}
