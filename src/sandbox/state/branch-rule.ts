/**
 * One rule of a ruleset, as far as it can get in an App's way.
 * https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch
 */
export interface BranchRule {
  /** Branch name or a pattern with `*` (one level) and `**`. */
  readonly branches: string;
  readonly type:
    | "creation"
    | "update"
    | "deletion"
    | "non_fast_forward"
    | "pull_request"
    | "required_status_checks"
    | "required_signatures";
  readonly rulesetId: number;
  /** For `required_status_checks`. */
  readonly contexts?: readonly { readonly context: string; readonly appId: number | null }[];
  /** For `pull_request`. */
  readonly requiredApprovals?: number;
}

/** True when the rule's pattern covers the branch. */
export function ruleCovers(rule: BranchRule, branch: string): boolean {
  const source = rule.branches
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/?|\*|\?/g, (glob) => (glob.startsWith("**") ? ".*" : glob === "*" ? "[^/]*" : "[^/]"));
  return new RegExp(`^${source}$`).test(branch);
}
