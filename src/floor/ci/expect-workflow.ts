/**
 * Does a push of our commit start a workflow of the repository? GitHub itself tells only once it has
 * started, so "nothing has failed" may mean "nothing has begun".
 */
import { parse } from "yaml";
import { matchesAnyPattern, matchesPatterns } from "../../contracts/filter-patterns.ts";

/**
 * - certain: there will be a run, so it is waited for;
 * - possible: it depends on what only GitHub works out (changed paths), so it is given a moment to appear;
 * - never: nothing that happens to our commit starts it.
 */
export type WorkflowExpectation = "certain" | "possible" | "never";

export interface PushedCommit {
  /** The branch it was pushed to, without `refs/heads/`. */
  readonly branch: string;
  /** The branch its open pull request goes into; null = there is none. */
  readonly base: string | null;
}

/**
 * Event filters: docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#on
 * @param text the workflow file; one that cannot be read is started by nothing.
 */
export function expectWorkflow(text: string, commit: PushedCommit): WorkflowExpectation {
  let document: unknown;
  try {
    document = parse(text.replace(/^\uFEFF/u, ""), { maxAliasCount: 100 }) as unknown;
  } catch {
    return "never";
  }
  const triggers = readTriggers(isObject(document) ? document["on"] : undefined);
  const answers: WorkflowExpectation[] = [];
  const push = triggers.get("push");
  if (push !== undefined) answers.push(expectPush(push, commit.branch));
  const pull = triggers.get("pull_request");
  if (pull !== undefined && commit.base !== null) answers.push(expectPull(pull, commit.base));
  return answers.find((one) => one === "certain") ?? answers.find((one) => one === "possible") ?? "never";
}

type Filter = Readonly<Record<string, unknown>>;

/** `on` may be a word, a list of words, or a mapping. */
function readTriggers(on: unknown): ReadonlyMap<string, Filter> {
  if (isObject(on))
    return new Map(Object.entries(on).map(([event, filter]) => [event, isObject(filter) ? filter : {}]));
  return new Map(readTexts(on).map((event) => [event, {}]));
}

function expectPush(filter: Filter, branch: string): WorkflowExpectation {
  const filtersBranches = "branches" in filter || "branches-ignore" in filter;
  // Tags alone mean "no branches".
  if (!filtersBranches && ("tags" in filter || "tags-ignore" in filter)) return "never";
  return filtersBranches ? narrow(matchesBranch(filter, branch), filter) : narrow("certain", filter);
}

/** A pushed commit is `synchronize`; what other types wait for does not come from a push. */
function expectPull(filter: Filter, base: string): WorkflowExpectation {
  const types = readTexts(filter["types"]);
  if (types.length > 0 && !types.includes("synchronize")) return "never";
  const filters = "branches" in filter || "branches-ignore" in filter;
  return filters ? narrow(matchesBranch(filter, base), filter) : narrow("certain", filter);
}

function matchesBranch(filter: Filter, branch: string): WorkflowExpectation {
  const include = readTexts(filter["branches"]);
  try {
    const matches =
      include.length > 0
        ? matchesPatterns(include, branch)
        : !matchesAnyPattern(readTexts(filter["branches-ignore"]), branch);
    return matches ? "certain" : "never";
  } catch {
    // A pattern we cannot read.
    return "possible";
  }
}

/** Which paths count as changed depends on what GitHub compares with. */
function narrow(expectation: WorkflowExpectation, filter: Filter): WorkflowExpectation {
  const filtersPaths = "paths" in filter || "paths-ignore" in filter;
  return expectation === "certain" && filtersPaths ? "possible" : expectation;
}

function readTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
