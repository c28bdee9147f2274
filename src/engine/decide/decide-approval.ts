import { deriveApprovalPolicy } from "../derive/approval-policy.ts";
import { deriveProposal } from "../derive/plan-progress.ts";
import type { RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";

/** A committed plan is shown in the feature pull request and then approved: by a person, or by the policy. */
export function decideApproval(builder: ActionBuilder, state: RunState): void {
  if (state.revisions.length === 0) return;
  if (state.featurePull === null)
    builder.add("feature-pull", "dispatch", "Opening the feature pull request with the plan", {
      kind: "OpenFeaturePull",
    });
  const proposal = deriveProposal(state);
  if (proposal === null || state.featurePull === null) return;
  const policy = deriveApprovalPolicy(state, proposal);
  if (policy.person) {
    const marker = `approval:${proposal.rev}`;
    if (state.comments[marker] === undefined)
      builder.add(`comment:${marker}`, "dispatch", `Asking for approval of plan revision ${proposal.rev}`, {
        kind: "PostComment",
        on: state.run.issue,
        marker,
        subject: { kind: "approval", rev: proposal.rev },
      });
    builder.wait({
      subject: "approval",
      what: `plan revision ${proposal.rev} waits for approval: ${policy.why}`,
      until: null,
      unblock: `\`/approve ${proposal.hash.slice(0, 12)}\` by somebody with write access, or \`/replan\``,
    });
    return;
  }
  builder.add(
    `approve:${proposal.rev}`,
    "dispatch",
    `Plan revision ${proposal.rev} is approved by policy: ${policy.why}`,
    {
      kind: "ApprovePlan",
      rev: proposal.rev,
      hash: proposal.hash,
      why: policy.why,
    },
  );
}
