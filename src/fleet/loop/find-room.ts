/** When GitHub's limits leave room for an action. */
import type { Action, ActionWork, Priority } from "../../engine/action.ts";
import type { Fleet } from "../context.ts";

/** A wait this short is no reason to put anything off, in ms. */
const SHORT_MS = 2_000;

/** As soon as there is room again, landings come for it before all else, in ms. */
const AFTER_MS: Readonly<Record<Priority, number>> = { landing: 0, dispatch: 1_000, cosmetic: 2_000 };

/**
 * From when on (ms) the action can be carried out; `now`: at once. In a fleet that has
 * used up its hour, thousands of actions wait for a few writes a minute: each that is tried and refused would
 * be two facts, a decision and another try a minute later, over and over.
 */
export function findRoom(
  fleet: Pick<Fleet, "github" | "reviewer">,
  installation: number,
  action: Action,
  now: number,
): number {
  const cost = costOf(action.kind, fleet.reviewer === undefined ? "one" : "two");
  if (cost === null) return now;
  const at = fleet.github.roomAt?.(installation, cost) ?? now;
  return at <= now + SHORT_MS ? now : at + AFTER_MS[action.priority];
}

/** What the action writes that is scarcest; null when it writes nothing, or with another App's limits. */
function costOf(kind: ActionWork["kind"], apps: "one" | "two"): "write" | "content" | null {
  switch (kind) {
    case "PostReview":
    case "DismissReview":
      return apps === "one" ? "content" : null;
    case "OpenFeaturePull":
    case "UpdateFeaturePull":
    case "OpenChunkPull":
    case "PublishCheck":
    case "MarkReady":
    case "PostComment":
    case "RefreshStatus":
    case "ClosePull":
    case "CloseIssue":
      return "content";
    case "CreateIntegration":
    case "DispatchJob":
    case "CancelJob":
    case "CommitPlan":
    case "CommitChangeSet":
    case "CreateCandidate":
    case "LandChunks":
    case "CreateAccept":
    case "CommitAccept":
    case "MergeFeature":
    case "DeleteBranch":
    case "PrepareTake":
    case "RestoreBranch":
      return "write";
    case "ReadGivenPlan":
    case "ApprovePlan":
    case "RequestFix":
    case "CancelRun":
    case "EndRun":
      return null;
  }
}
