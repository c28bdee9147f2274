import { describe, expect, it } from "@jest/globals";
import { describeWorkflow } from "../../src/sandbox/actions/describe-workflow.ts";
import type { WorkflowEvent } from "../../src/sandbox/actions/runner-host.ts";
import { triggers } from "../../src/sandbox/actions/triggers.ts";

interface Row {
  readonly why: string;
  readonly on: string;
  readonly event: WorkflowEvent;
  readonly ref?: string;
  readonly paths?: readonly string[];
}

const job = "\njobs: { a: { runs-on: x, steps: [{ run: ls }] } }\n";
const push: WorkflowEvent = { name: "push" };
const dispatch: WorkflowEvent = { name: "workflow_dispatch", inputs: {} };
const pull = (action: "opened" | "ready_for_review", baseRef = "main"): WorkflowEvent => ({
  name: "pull_request",
  action,
  number: 3,
  baseRef,
  headRef: "feature",
});

function starts(
  on: string,
  event: WorkflowEvent,
  ref = "refs/heads/main",
  paths: readonly string[] = ["a.ts"],
): boolean {
  return triggers(describeWorkflow({ path: "w.yml", text: `on: ${on}${job}` }), event, ref, paths);
}

describe("an event starts a workflow", () => {
  it.each<Row>([
    { why: "the short form", on: "push", event: push },
    { why: "a list of events", on: "[push, pull_request]", event: pull("opened") },
    { why: "a key without filters", on: "{ push: }", event: push, ref: "refs/tags/v1" },
    { why: "a branch that matches", on: "{ push: { branches: [main] } }", event: push },
    { why: "a branch outside of branches-ignore", on: "{ push: { branches-ignore: ['taskfleet/**'] } }", event: push },
    { why: "a single branch as text", on: "{ push: { branches: main } }", event: push },
    { why: "a tag that matches", on: "{ push: { tags: ['v*'] } }", event: push, ref: "refs/tags/v1" },
    { why: "a branch next to a tag filter with both", on: "{ push: { branches: ['**'], tags: [v1] } }", event: push },
    {
      why: "a path that matches",
      on: "{ push: { paths: ['src/**'] } }",
      event: push,
      ref: "refs/heads/x",
      paths: ["README.md", "src/a.ts"],
    },
    {
      why: "a path outside of paths-ignore",
      on: "{ push: { paths-ignore: ['docs/**'] } }",
      event: push,
      ref: "refs/heads/x",
      paths: ["docs/a", "b"],
    },
    {
      why: "a tag, whatever paths say",
      on: "{ push: { tags: ['*'], paths: ['src/**'] } }",
      event: push,
      ref: "refs/tags/v1",
      paths: [],
    },
    { why: "a pull request into the branch", on: "{ pull_request: { branches: [main] } }", event: pull("opened") },
    {
      why: "a type that is named",
      on: "{ pull_request: { types: [ready_for_review] } }",
      event: pull("ready_for_review"),
    },
    { why: "a dispatch", on: "workflow_dispatch", event: dispatch },
  ])("$why", ({ on, event, ref, paths }) => {
    expect(starts(on, event, ref, paths)).toBe(true);
  });
});

describe("an event does not start a workflow", () => {
  it.each<Row>([
    { why: "another event", on: "push", event: dispatch },
    { why: "a branch that does not match", on: "{ push: { branches: [main] } }", event: push, ref: "refs/heads/other" },
    {
      why: "a branch in branches-ignore",
      on: "{ push: { branches-ignore: ['taskfleet/**'] } }",
      event: push,
      ref: "refs/heads/taskfleet/a/b",
    },
    { why: "a tag under a branch filter", on: "{ push: { branches: ['**'] } }", event: push, ref: "refs/tags/v1" },
    { why: "a branch under a tag filter", on: "{ push: { tags: ['**'] } }", event: push },
    {
      why: "no path that matches",
      on: "{ push: { paths: ['src/**', '!src/gen/**'] } }",
      event: push,
      ref: "refs/heads/x",
      paths: ["src/gen/a.ts"],
    },
    {
      why: "only ignored paths",
      on: "{ push: { paths-ignore: ['docs/**'] } }",
      event: push,
      ref: "refs/heads/x",
      paths: ["docs/a"],
    },
    {
      why: "a pull request into another branch",
      on: "{ pull_request: { branches: [main] } }",
      event: pull("opened", "next"),
    },
    { why: "a type outside of the default", on: "pull_request", event: pull("ready_for_review") },
    { why: "a file with an error", on: "{ push: { branchs: [main] } }", event: push },
  ])("$why", ({ on, event, ref, paths }) => {
    expect(starts(on, event, ref, paths)).toBe(false);
  });
});
