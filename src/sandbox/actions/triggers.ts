import type { PullRequestFilter, PushFilter, WorkflowDescription } from "./describe-workflow.ts";
import { matchesAnyPattern, matchesPatterns } from "../../contracts/filter-patterns.ts";
import type { WorkflowEvent } from "./runner-host.ts";

interface PathFilter {
  readonly paths: readonly string[];
  readonly pathsIgnore: readonly string[];
}

/**
 * Whether an event starts the workflow. A file with errors never starts.
 * @param ref full ref (`refs/heads/x`); for a pull request `refs/pull/<n>/merge`
 * @param changedPaths of the push (before..after) or of the pull request (merge base..head)
 */
export function triggers(
  description: WorkflowDescription,
  event: WorkflowEvent,
  ref: string,
  changedPaths: readonly string[],
): boolean {
  if (description.errors.length > 0) return false;
  const { push, pullRequest, dispatch } = description.triggers;
  switch (event.name) {
    case "workflow_dispatch":
      return dispatch !== null;
    case "push":
      return push !== null && matchesPushRef(push, ref) && (!isBranch(ref) || matchesPaths(push, changedPaths));
    case "pull_request":
      return (
        pullRequest !== null &&
        pullRequest.types.includes(event.action) &&
        matchesBase(pullRequest, event.baseRef) &&
        matchesPaths(pullRequest, changedPaths)
      );
  }
}

/**
 * Branch filters without tag filters mean "no tags", and the other way round.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#onpushbranchestagsbranches-ignoretags-ignore
 */
function matchesPushRef(filter: PushFilter, ref: string): boolean {
  const filtersBranches = filter.branches.length > 0 || filter.branchesIgnore.length > 0;
  const filtersTags = filter.tags.length > 0 || filter.tagsIgnore.length > 0;
  const name = ref.replace(/^refs\/(?:heads|tags)\//, "");
  if (isBranch(ref)) return filtersBranches ? matchesNames(filter.branches, filter.branchesIgnore, name) : !filtersTags;
  return filtersTags ? matchesNames(filter.tags, filter.tagsIgnore, name) : !filtersBranches;
}

function matchesBase(filter: PullRequestFilter, baseRef: string): boolean {
  const filters = filter.branches.length > 0 || filter.branchesIgnore.length > 0;
  return !filters || matchesNames(filter.branches, filter.branchesIgnore, baseRef);
}

function matchesNames(include: readonly string[], ignore: readonly string[], name: string): boolean {
  return include.length > 0 ? matchesPatterns(include, name) : !matchesAnyPattern(ignore, name);
}

/** `paths`: one changed path suffices. `paths-ignore`: one path outside of the patterns suffices. */
function matchesPaths(filter: PathFilter, changedPaths: readonly string[]): boolean {
  if (filter.paths.length > 0) return changedPaths.some((path) => matchesPatterns(filter.paths, path));
  if (filter.pathsIgnore.length > 0) return changedPaths.some((path) => !matchesAnyPattern(filter.pathsIgnore, path));
  return true;
}

function isBranch(ref: string): boolean {
  return ref.startsWith("refs/heads/");
}
