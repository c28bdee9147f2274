import { parseWorkflowTemplate } from "./parse-template.ts";
import type { WorkflowFile } from "./runner-host.ts";
import { type Template, findEntry, listEntries, readText, readTexts } from "./template.ts";

/** What GitHub knows about a workflow file before it runs it. */
export interface WorkflowDescription {
  readonly path: string;
  /** `name`, or the path where the file has none. */
  readonly name: string;
  readonly runName: Template | null;
  readonly triggers: Triggers;
  /** Everything for which GitHub would refuse the file; the other fields hold what could be read. */
  readonly errors: readonly string[];
}

export interface Triggers {
  readonly push: PushFilter | null;
  readonly pullRequest: PullRequestFilter | null;
  readonly dispatch: DispatchTrigger | null;
  /** Other events the file names; none of them happens here. */
  readonly others: readonly string[];
}

/** Patterns as written; empty means "no such filter". */
export interface PushFilter {
  readonly branches: readonly string[];
  readonly branchesIgnore: readonly string[];
  readonly tags: readonly string[];
  readonly tagsIgnore: readonly string[];
  readonly paths: readonly string[];
  readonly pathsIgnore: readonly string[];
}

export interface PullRequestFilter {
  /** Activity types; the default is opened, synchronize, reopened. */
  readonly types: readonly string[];
  readonly branches: readonly string[];
  readonly branchesIgnore: readonly string[];
  readonly paths: readonly string[];
  readonly pathsIgnore: readonly string[];
}

export interface DispatchTrigger {
  readonly inputs: Readonly<Record<string, DispatchInput>>;
}

export interface DispatchInput {
  readonly description: string | null;
  readonly required: boolean;
  /** Always as text, the form in which GitHub transports inputs. */
  readonly default: string | null;
  readonly type: "string" | "choice" | "boolean" | "number" | "environment";
  readonly options: readonly string[];
}

/** Reads a workflow file's face: names, triggers, dispatch inputs, errors. Never throws. */
export function describeWorkflow(file: WorkflowFile): WorkflowDescription {
  const { root, errors } = parseWorkflowTemplate(file.path, file.text);
  return {
    path: file.path,
    name: readText(findEntry(root, "name")) ?? file.path,
    runName: findEntry(root, "run-name"),
    triggers: readTriggers(findEntry(root, "on")),
    errors,
  };
}

function readTriggers(on: Template | null): Triggers {
  const events: ReadonlyMap<string, Template | null> =
    on?.kind === "mapping" ? new Map(listEntries(on)) : new Map(readTexts(on).map((name) => [name, null]));
  const known = new Set(["push", "pull_request", "workflow_dispatch"]);
  return {
    push: events.has("push") ? readPush(events.get("push") ?? null) : null,
    pullRequest: events.has("pull_request") ? readPullRequest(events.get("pull_request") ?? null) : null,
    dispatch: events.has("workflow_dispatch") ? readDispatch(events.get("workflow_dispatch") ?? null) : null,
    others: [...events.keys()].filter((name) => !known.has(name)),
  };
}

function readPush(node: Template | null): PushFilter {
  return {
    branches: readTexts(findEntry(node, "branches")),
    branchesIgnore: readTexts(findEntry(node, "branches-ignore")),
    tags: readTexts(findEntry(node, "tags")),
    tagsIgnore: readTexts(findEntry(node, "tags-ignore")),
    paths: readTexts(findEntry(node, "paths")),
    pathsIgnore: readTexts(findEntry(node, "paths-ignore")),
  };
}

function readPullRequest(node: Template | null): PullRequestFilter {
  const types = readTexts(findEntry(node, "types"));
  return {
    types: types.length > 0 ? types : ["opened", "synchronize", "reopened"],
    branches: readTexts(findEntry(node, "branches")),
    branchesIgnore: readTexts(findEntry(node, "branches-ignore")),
    paths: readTexts(findEntry(node, "paths")),
    pathsIgnore: readTexts(findEntry(node, "paths-ignore")),
  };
}

function readDispatch(node: Template | null): DispatchTrigger {
  const inputs = listEntries(findEntry(node, "inputs")).map(([name, input]) => [name, readInput(input)] as const);
  return { inputs: Object.fromEntries(inputs) };
}

function readInput(input: Template): DispatchInput {
  const type = readText(findEntry(input, "type"));
  return {
    description: readText(findEntry(input, "description")),
    required: readText(findEntry(input, "required")) === "true",
    default: readText(findEntry(input, "default")),
    type: type === "choice" || type === "boolean" || type === "number" || type === "environment" ? type : "string",
    options: readTexts(findEntry(input, "options")),
  };
}
