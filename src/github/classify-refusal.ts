import type { FailureKind, GitHubFailure } from "../contracts/errors.ts";
import { type Operation, OPERATIONS, type Route } from "./operations.ts";

export interface Refusal {
  readonly kind: FailureKind;
  /** For people. */
  readonly message: string;
}

type Rule = readonly [pattern: RegExp, kind: FailureKind, advice: string];

/**
 * What GitHub's words mean, whatever the status: the same refusal comes as 403, 405, 409 or 422
 * depending on the endpoint. The first rule that fits counts.
 */
const rules: readonly Rule[] = [
  [/(?:was|is|been) archived/iu, "dormant", "The repository is archived."],
  [/installation (?:has been|is|was) suspended/iu, "dormant", "The installation is suspended."],
  [/access blocked|repository is disabled|unavailable due to/iu, "dormant", "GitHub has blocked the repository."],

  // docs: an update with force=false; a branch that moved or vanished meanwhile.
  [/not a fast[- ]forward/iu, "conflict", "The branch has moved."],
  [/reference already exists/iu, "conflict", "The branch exists already."],
  [/reference does not exist|no ref found|object does not exist|tree sha does not exist/iu, "conflict", "It is gone."],
  // Also of what was made a moment ago (github.com/PyGithub/PyGithub/issues/1732,
  // github.com/home-assistant/service-hub/pull/394).
  [/not a valid tree oid|no commit found for sha/iu, "conflict", "GitHub does not know it (yet)."],
  [/already exists for/iu, "conflict", "It exists already."],
  [/base branch was modified|head branch was modified|expected head sha/iu, "conflict", "The branch has moved."],
  [/not mergeable|merge conflict/iu, "conflict", "It cannot be merged as it stands."],
  // A 404 like that of a commit which is not there yet, and final (github.com/PyGithub/PyGithub/issues/1334).
  [/no common ancestor/iu, "terminal", "The commits have no history in common."],
  [/issue was deleted/iu, "conflict", "The issue is gone."],
  [/branch .*not (?:be )?found/iu, "conflict", "The branch is gone."],

  // An App without the workflows permission may not touch these files, not even by a merge.
  [/without `?workflows?`? (?:permission|scope)/iu, "misconfigured", "Taskfleet never changes workflow files."],
  [
    /resource not accessible by integration/iu,
    "misconfigured",
    "Accept the App's permissions in the installation's settings.",
  ],
  [
    /does not have '?workflow_dispatch|required input|unexpected inputs|inputs? .*too (?:large|long)|workflow.*(?:disabled|not active)|actions (?:has been|is|are) disabled/iu,
    "misconfigured",
    "The workflow file on the default branch must be Taskfleet's own and enabled.",
  ],
  [/git repository is empty/iu, "misconfigured", "The repository has no commit yet."],
  [
    /rule violations|protected branch|protected ref|required status check|changes must be made through|ruleset/iu,
    "misconfigured",
    "A rule or branch protection forbids it.",
  ],
  [/issues? (?:are|is|has been) disabled/iu, "misconfigured", "Issues are disabled in the repository."],
  [/is locked|locked conversation/iu, "terminal", "The conversation is locked."],
];

/** Judges an answer below 500 that is no rate limit. */
export function classifyRefusal(status: number, said: string, route: Route): Refusal {
  const merging = route === "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge";
  for (const [pattern, kind, advice] of rules) {
    if (!pattern.test(said)) continue;
    // A policy that stops a merge is for people to see; nothing is wrong with the repository.
    if (merging && kind === "misconfigured") return { kind: "terminal", message: `GitHub refuses the merge: ${said}` };
    return { kind, message: `${advice} GitHub says: ${said}` };
  }
  switch (status) {
    case 301:
    case 302:
    case 307:
    case 308:
      return { kind: "conflict", message: "The repository was renamed or transferred." };
    case 401:
      if (OPERATIONS[route].permission === null) {
        return { kind: "misconfigured", message: `GitHub does not accept the App's id and private key: ${said}` };
      }
      return { kind: "transient", message: `GitHub does not accept our token at the moment: ${said}` };
    case 403:
      return { kind: "misconfigured", message: `GitHub forbids it${needs(route)}: ${said}` };
    case 404:
      return { kind: "conflict", message: `GitHub does not find it (any more): ${said}` };
    case 405:
      return { kind: "terminal", message: `GitHub refuses the merge: ${said}` };
    case 409:
      return { kind: "conflict", message: `The world has moved: ${said}` };
    case 410:
    case 451:
      return { kind: "dormant", message: `It is gone for good: ${said}` };
    default:
      return { kind: "terminal", message: `GitHub refuses (${status}): ${said}` };
  }
}

function needs(route: Route): string {
  const { permission }: Operation = OPERATIONS[route];
  return permission === null ? "" : ` (it takes the permission \`${permission.name}: ${permission.level}\`)`;
}

/** Whether two commits could not be compared because nothing connects them. */
export function isUnrelated(failure: GitHubFailure): boolean {
  return failure.kind === "terminal" && failure.details.status === 404;
}
