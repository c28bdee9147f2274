import { OPERATIONS, type Operation, type PermissionName } from "./operations.ts";

/** The permissions the operations need, each at the highest level any of them asks for. */
export function deriveRequiredPermissions(): Readonly<Partial<Record<PermissionName, "read" | "write">>> {
  const needed: Partial<Record<PermissionName, "read" | "write">> = {};
  for (const { permission } of Object.values<Operation>(OPERATIONS)) {
    if (permission === null) continue;
    if (needed[permission.name] !== "write") needed[permission.name] = permission.level;
  }
  return needed;
}

/** The events the App subscribes to; `installation` comes without asking. */
export const REQUIRED_EVENTS = [
  "check_run",
  "check_suite",
  "issue_comment",
  "issues",
  "pull_request",
  "pull_request_review",
  "push",
  "repository",
  "status",
  "workflow_run",
] as const;
