import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { describeWorkflow } from "../../src/sandbox/actions/describe-workflow.ts";
import { formatRunName } from "../../src/sandbox/actions/format-run-name.ts";
import type { RunRequest } from "../../src/sandbox/actions/runner-host.ts";

const job = "jobs: { a: { runs-on: x, steps: [{ run: ls }] } }\n";

function errorsOf(text: string): readonly string[] {
  return describeWorkflow({ path: "w.yml", text }).errors;
}

const request: RunRequest = {
  runId: 1,
  runNumber: 2,
  runAttempt: 1,
  workflow: { path: "w.yml", text: "" },
  event: { name: "workflow_dispatch", inputs: { job: "r7/c1" } },
  payload: { head_commit: { message: "Headline\n\nBody" }, pull_request: { title: "Add carts" } },
  ref: "refs/heads/main",
  sha: "a".repeat(40),
  actor: "ada",
  repository: { fullName: "acme/shop", id: 1, cloneUrl: "http://localhost/acme/shop.git", defaultBranch: "main" },
  serverUrl: "http://localhost",
  apiUrl: "http://localhost/api/v3",
  graphqlUrl: "http://localhost/api/graphql",
  secrets: {},
  workDir: "/nowhere",
};

describe("a workflow file", () => {
  it("is called by its path when it has no name", () => {
    expect(describeWorkflow({ path: ".github/workflows/x.yml", text: `on: push\n${job}` }).name).toBe(
      ".github/workflows/x.yml",
    );
  });

  it.each<[what: string, text: string, error: string]>([
    ["no YAML", "on: [push\njobs", "Flow sequence"],
    ["nothing in it", "", "Expected a scalar value, a sequence, or a mapping"],
    ["an unknown key", `on: push\nfoo: 1\n${job}`, "Unexpected value 'foo'"],
    ["no jobs", "on: push\n", "Required property is missing: jobs"],
    ["no event", job, "Required property is missing: on"],
    [
      "an unknown need",
      "on: push\njobs: { a: { runs-on: x, needs: b, steps: [{ run: a }] }, c: { runs-on: x, steps: [{ run: a }] } }",
      "Job 'a' depends on unknown job 'b'.",
    ],
    [
      "needs in a circle",
      "on: push\njobs: { a: { runs-on: x, needs: b, steps: [{ run: a }] }, b: { runs-on: x, needs: a, steps: [{ run: a }] } }",
      "at least one job with no dependencies",
    ],
    [
      "secrets in a job's condition",
      "on: push\njobs: { a: { runs-on: x, if: secrets.K, steps: [{ run: a }] } }",
      "Unrecognized named-value: 'secrets'",
    ],
    [
      "a malformed expression",
      "on: push\njobs: { a: { runs-on: x, steps: [{ run: 'echo ${{ github. }}' }] } }",
      "Unexpected symbol",
    ],
    ["a step that does nothing", "on: push\njobs: { a: { runs-on: x, steps: [{ name: a }] } }", "run"],
  ])("with %s is refused", (_what, text, error) => {
    expect(errorsOf(text).join("\n")).toContain(error);
  });

  it("names the line of the error", () => {
    expect(errorsOf(`on: push\n\nfoo: 1\n${job}`)).toEqual(["w.yml (Line: 3, Col: 1): Unexpected value 'foo'"]);
  });

  it.each(["src/worker/workflow/taskfleet.yml", "src/sandbox/sample/files/.github/workflows/ci.yml"])(
    "shipped as %s is accepted",
    (path) => {
      expect(describeWorkflow({ path, text: readFileSync(path, "utf8") }).errors).toEqual([]);
    },
  );
});

describe("a run's name", () => {
  const nameOf = (runName: string, overrides: Partial<RunRequest> = {}): string => {
    const text = `${runName}\nname: W\non: { push: , pull_request: , workflow_dispatch: { inputs: { job: {} } } }\n${job}`;
    return formatRunName(describeWorkflow({ path: "w.yml", text }), { ...request, ...overrides });
  };

  it("is the evaluated run-name", () => {
    expect(nameOf("run-name: taskfleet ${{ inputs.job }} by @${{ github.actor }}")).toBe("taskfleet r7/c1 by @ada");
  });

  it("is the workflow's name for a dispatch without run-name", () => {
    expect(nameOf("")).toBe("W");
  });

  it("is the commit's headline for a push, the title for a pull request", () => {
    expect(nameOf("", { event: { name: "push" } })).toBe("Headline");
    expect(
      nameOf("", { event: { name: "pull_request", action: "opened", number: 1, baseRef: "main", headRef: "x" } }),
    ).toBe("Add carts");
  });
});
