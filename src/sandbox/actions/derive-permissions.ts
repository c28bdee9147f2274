import type { Permission } from "./runner-host.ts";
import type { DeclaredPermissions } from "./workflow.ts";

/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#defining-access-for-the-github_token-scopes */
const scopes = [
  "actions",
  "attestations",
  "checks",
  "contents",
  "deployments",
  "discussions",
  "issues",
  "packages",
  "pages",
  "pull-requests",
  "repository-projects",
  "security-events",
  "statuses",
] as const;

/**
 * The GITHUB_TOKEN's permissions under API names. A job's block replaces the workflow's; once a
 * block exists, scopes it does not name are not granted. Without any block the token has the
 * restricted default (https://docs.github.com/en/actions/reference/security/secure-use).
 */
export function derivePermissions(
  workflow: DeclaredPermissions | null,
  job: DeclaredPermissions | null,
): Readonly<Record<string, Permission>> {
  const declared = job ?? workflow ?? { contents: "read", packages: "read" };
  const granted: Array<readonly [string, Permission]> =
    declared === "read-all"
      ? scopes.map((scope) => [scope, "read"])
      : declared === "write-all"
        ? scopes.map((scope) => [scope, "write"])
        : Object.entries(declared).filter(([, level]) => level !== "none");
  return {
    ...Object.fromEntries(granted.map(([scope, level]) => [scope.replaceAll("-", "_"), level])),
    metadata: "read",
  };
}
