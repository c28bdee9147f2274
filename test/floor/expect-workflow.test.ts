import { describe, expect, it } from "@jest/globals";
import { expectWorkflow, type WorkflowExpectation } from "../../src/floor/ci/expect-workflow.ts";

const commit = { branch: "taskfleet/7-greet/integration", base: "main" };
const expectOn = (on: string): WorkflowExpectation => expectWorkflow(`on: ${on}\njobs: {}\n`, commit);

describe("a workflow of the repository", () => {
  it.each([
    ["every push starts", "push"],
    ["every push starts, among other events", "[workflow_dispatch, push]"],
    ["a pull request into the source branch starts", "pull_request"],
    ["a filter with our branch starts", "{ push: { branches: ['taskfleet/**'] } }"],
    ["a filter that leaves out other branches starts", "{ push: { branches-ignore: [main] } }"],
    ["a filter by the source branch starts on its pull requests", "{ pull_request: { branches: [main] } }"],
    ["a filter of branches starts although tags are filtered too", "{ push: { branches: ['**'], tags: [v*] } }"],
    ["pushes to main start by paths, and pull requests always", "{ push: { paths: [src/**] }, pull_request: }"],
  ])("that %s is waited for", (_what, on) => {
    expect(expectOn(on)).toBe("certain");
  });

  it.each([
    ["changed paths decide", "{ push: { paths: [src/**] } }"],
    ["ignored paths decide", "{ pull_request: { branches: [main], paths-ignore: [docs/**] } }"],
    ["its filter is no pattern anybody can read", "{ push: { branches: ['[z-a]'] } }"],
  ])("is given a moment to appear when %s", (_what, on) => {
    expect(expectOn(on)).toBe("possible");
  });

  it.each([
    ["a timer starts", "{ schedule: [{ cron: '0 0 * * *' }] }"],
    ["tags start", "{ push: { tags: [v*] } }"],
    ["other branches start", "{ push: { branches: [main] } }"],
    ["our branches do not start", "{ push: { branches: ['**', '!taskfleet/**'] } }"],
    ["pull requests into another branch start", "{ pull_request: { branches: [release] } }"],
    ["labels start", "{ pull_request: { types: [labeled] } }"],
    ["a pull request's target starts, on another commit", "pull_request_target"],
    ["nobody can read", "[push"],
  ])("that %s is not waited for", (_what, on) => {
    expect(expectOn(on)).toBe("never");
  });

  it("for pull requests is not waited for where there is none", () => {
    expect(expectWorkflow("on: pull_request\n", { ...commit, base: null })).toBe("never");
  });

  it("says nothing when its file is no mapping or unfolds without end", () => {
    expect(expectWorkflow("- on\n", commit)).toBe("never");
    expect(expectWorkflow("", commit)).toBe("never");
  });
});
