import type { RequiredCheck } from "./port.ts";

/** Rules that stop the App from creating, updating, merging on or deleting a branch, and what they mean for it. */
const reasons: Readonly<Record<string, string>> = {
  creation: "nobody may create the branch",
  update: "nobody may update the branch",
  deletion: "nobody may delete the branch",
  pull_request: "changes must come through a pull request",
  required_status_checks: "status checks must pass before the branch is updated",
  required_linear_history: "merge commits are forbidden",
  required_deployments: "deployments must succeed before the branch is updated",
  merge_queue: "changes must go through the merge queue",
  workflows: "workflows must pass before the branch is updated",
  code_scanning: "code scanning must pass before the branch is updated",
  code_quality: "code quality checks must pass before the branch is updated",
  branch_name_pattern: "the branch's name must match a pattern",
  commit_message_pattern: "commit messages must match a pattern",
  commit_author_email_pattern: "the author's address must match a pattern",
  committer_email_pattern: "the committer's address must match a pattern",
};

/** One sentence per blocking rule of `GET rules/branches/{branch}`; other rules do not stop us. */
export function describeBlockingRules(
  rules: ReadonlyArray<{ readonly type: string; readonly ruleset_source?: string; readonly ruleset_id?: number }>,
): readonly string[] {
  return rules.flatMap(({ type, ruleset_source: source, ruleset_id: id }) => {
    const reason = Object.hasOwn(reasons, type) ? reasons[type] : undefined;
    return reason === undefined ? [] : [`${type}: ${reason} (ruleset ${id ?? "?"} of ${source ?? "?"})`];
  });
}

/** What the `required_status_checks` rules demand, each once (docs.github.com/en/rest/repos/rules#get-rules-for-a-branch). */
export function listRequiredChecks(
  rules: ReadonlyArray<{ readonly type: string; readonly parameters?: unknown }>,
): readonly RequiredCheck[] {
  const found = new Map<string, RequiredCheck>();
  for (const { type, parameters } of rules) {
    if (type !== "required_status_checks") continue;
    const { required_status_checks: checks = [] } = (parameters ?? {}) as {
      readonly required_status_checks?: ReadonlyArray<{ readonly context: string; readonly integration_id?: number }>;
    };
    for (const { context, integration_id: app } of checks)
      found.set(`${app ?? ""} ${context}`, { name: context, appId: app ?? null });
  }
  return [...found.values()];
}
