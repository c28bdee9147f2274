import { parseSha } from "../contracts/ids.ts";
import type { WorkflowRun } from "./port.ts";

export interface WorkflowRunData {
  readonly id: number;
  readonly display_title: string;
  readonly event: string;
  readonly status: string | null;
  readonly conclusion: string | null;
  readonly head_sha: string;
  readonly head_branch: string | null;
  readonly path: string;
  readonly html_url: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export function parseWorkflowRun(data: WorkflowRunData): WorkflowRun {
  return {
    id: data.id,
    title: data.display_title,
    event: data.event,
    status: parseStatus(data.status),
    conclusion: data.conclusion,
    headSha: parseSha(data.head_sha),
    headBranch: data.head_branch,
    // `path@ref` for a workflow that was called from elsewhere.
    path: data.path.split("@")[0] ?? data.path,
    url: data.html_url,
    createdAt: Date.parse(data.created_at),
    updatedAt: Date.parse(data.updated_at),
  };
}

/** A status unknown to us (there were `cancelling` and `action_required`) means that it is not over. */
function parseStatus(status: string | null): WorkflowRun["status"] {
  switch (status) {
    case "queued":
    case "completed":
    case "waiting":
    case "requested":
    case "pending":
      return status;
    default:
      return "in_progress";
  }
}
