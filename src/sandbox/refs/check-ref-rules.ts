import { HttpProblem, integrationDenied, unprocessable } from "../http-problem.ts";
import { hasPermission } from "../auth/authorize.ts";
import { listChangedPaths } from "../git/list-changed-paths.ts";
import { isAncestor, listCommits } from "../git/history.ts";
import { readBranch } from "../git/refs.ts";
import { readGit } from "../git/run-git.ts";
import type { NamedActor } from "../state/actor.ts";
import { type BranchRule, ruleCovers } from "../state/branch-rule.ts";
import type { Repository } from "../state/repository.ts";
import type { RefChange } from "./change-ref.ts";

const WORKFLOWS = ".github/workflows/";

/** Tokens of Apps and jobs without `workflows: write`; people's tokens here have the scope. */
export function lacksWorkflows(actor: NamedActor): boolean {
  return actor.kind !== "user" && !hasPermission(actor.permissions, "workflows", "write");
}

/** Refuses entries below `.github/workflows` in a tree made through the API. https://github.com/anthropics/claude-code-action/issues/29 */
export function checkTreePaths(actor: NamedActor, paths: readonly string[]): void {
  if (lacksWorkflows(actor) && paths.some((path) => path.startsWith(WORKFLOWS))) throw integrationDenied();
}

/** The first workflow file a change of a ref would bring in, or null. */
async function findTouchedWorkflow(repository: Repository, change: RefChange): Promise<string | null> {
  const { git } = repository;
  if (change.after === null) return null;
  const folder = async (revision: string) => (await git.objects.read(`${revision}:.github/workflows`))?.sha ?? null;
  const known = change.before ?? `refs/heads/${repository.defaultBranch}`;
  if ((await folder(change.after)) === (await folder(known))) return null;
  if (change.before !== null) {
    const paths = await listChangedPaths(git, change.before, change.after);
    return paths.find((path) => path.startsWith(WORKFLOWS)) ?? null;
  }
  const args = [
    "log",
    "--format=",
    "--name-only",
    "-m",
    "--first-parent",
    change.after,
    "--not",
    "--all",
    "--",
    WORKFLOWS,
  ];
  return (await readGit(git.dir, args)).split("\n").find((path) => path !== "") ?? null;
}

/** Throws when the change brings in a workflow file the actor may not touch. */
export async function checkWorkflowFiles(repository: Repository, actor: NamedActor, change: RefChange): Promise<void> {
  if (!lacksWorkflows(actor)) return;
  const path = await findTouchedWorkflow(repository, change);
  if (path !== null) {
    throw new HttpProblem(
      403,
      `refusing to allow a GitHub App to create or update workflow \`${path}\` without \`workflows\` permission`,
    );
  }
}

/** The rule of a ruleset that forbids a direct change of this ref, or null. */
export async function findViolatedRule(repository: Repository, change: RefChange): Promise<BranchRule | null> {
  if (!change.name.startsWith("refs/heads/")) return null;
  const branch = change.name.slice("refs/heads/".length);
  for (const rule of repository.rules.filter((candidate) => ruleCovers(candidate, branch))) {
    if (await violates(repository, rule, change)) return rule;
  }
  return null;
}

async function violates(repository: Repository, rule: BranchRule, { before, after }: RefChange): Promise<boolean> {
  switch (rule.type) {
    case "creation":
      return before === null;
    case "deletion":
      return after === null;
    case "update":
    case "pull_request":
      return before !== null && after !== null;
    case "non_fast_forward":
      return before !== null && after !== null && !(await isAncestor(repository.git, before, after));
    case "required_status_checks":
      return before !== null && after !== null && !hasRequiredChecks(repository, rule, after);
    case "required_signatures":
      return after !== null && !(await areSigned(repository, before, after));
  }
}

/** Whether all commits that the change brings in are signed; those of the default branch were there before. */
async function areSigned(repository: Repository, before: string | null, after: string): Promise<boolean> {
  const known = before ?? (await readBranch(repository.git, repository.defaultBranch));
  const commits = known === null ? [] : await listCommits(repository.git, known, after);
  return commits.every(({ sha }) => repository.signedCommits.has(sha));
}

function hasRequiredChecks(repository: Repository, rule: BranchRule, sha: string): boolean {
  return (rule.contexts ?? []).every(({ context, appId }) => {
    const checks = [...repository.checkRuns.values()].filter(
      (run) => run.headSha === sha && run.name === context && (appId === null || run.appId === appId),
    );
    const newest = checks.at(-1);
    const passed =
      newest?.conclusion === "success" || newest?.conclusion === "neutral" || newest?.conclusion === "skipped";
    const status = repository.statuses.findLast((entry) => entry.sha === sha && entry.context === context);
    // A check of a dispatched run does not count.
    const counts = newest !== undefined && repository.checkSuites.get(newest.suiteId)?.countsOnPulls !== false;
    return (passed && counts) || (appId === null && status?.state === "success");
  });
}

/** Throws what REST answers when a ruleset forbids the change. */
export async function checkRules(repository: Repository, change: RefChange): Promise<void> {
  const rule = await findViolatedRule(repository, change);
  if (rule === null) return;
  throw unprocessable("Repository rule violations found\n\n" + describeRule(rule));
}

function describeRule(rule: BranchRule): string {
  switch (rule.type) {
    case "creation":
      return "Cannot create ref due to creations being restricted.\n\n";
    case "deletion":
      return "Cannot delete this branch\n\n";
    case "update":
      return "Cannot update this protected ref.\n\n";
    case "pull_request":
      return "Changes must be made through a pull request.\n\n";
    case "non_fast_forward":
      return "Cannot force-push to this branch\n\n";
    case "required_status_checks":
      return `Required status check "${rule.contexts?.[0]?.context ?? ""}" is expected.\n\n`;
    case "required_signatures":
      return "Commits must have verified signatures.\n\n";
  }
}
