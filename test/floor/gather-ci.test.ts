import { describe, expect, it } from "@jest/globals";
import type { CheckRunView, CiInput, StatusView, WorkflowRunView } from "../../src/floor/ci/ci-input.ts";
import { computeFloor } from "../../src/floor/compute-floor.ts";
import { gatherCi } from "../../src/floor/gather-ci.ts";
import { floorInput } from "./support/build-captures.ts";
import { listRules, outcomeOf } from "./support/violations.ts";

const ACTIONS = 15368;
const OWN = 7;

function check(name: string, conclusion: string | null, change: Partial<CheckRunView> = {}): CheckRunView {
  return {
    id: 1,
    name,
    appId: ACTIONS,
    status: conclusion === null ? "in_progress" : "completed",
    conclusion,
    startedAt: "2026-11-30T10:00:00Z",
    completedAt: null,
    ...change,
  };
}

function status(context: string, state: string, createdAt = "2026-11-30T10:00:00Z"): StatusView {
  return { context, state, createdAt };
}

function workflowRun(change: Partial<WorkflowRunView> = {}): WorkflowRunView {
  return {
    id: 1,
    workflow: ".github/workflows/ci.yml",
    event: "push",
    attempt: 1,
    status: "completed",
    conclusion: "success",
    createdAt: "2026-11-30T10:00:00Z",
    ...change,
  };
}

function ci(change: Partial<CiInput> = {}): CiInput {
  return {
    checkRuns: [],
    statuses: [],
    workflowRuns: [],
    totals: { checkRuns: null, statuses: null },
    expectedWorkflows: [],
    expectedChecks: [],
    ownAppId: OWN,
    ignore: [],
    skipped: "pass",
    deadline: "open",
    ...change,
  };
}

const stateOf = (change: Partial<CiInput>): string => gatherCi(ci(change)).state;
const green = check("build", "success");

describe("the repository's own checks", () => {
  it("pass when everything succeeded or was neutral", () => {
    expect(stateOf({ checkRuns: [green, check("docs", "neutral")], statuses: [status("ci/x", "success")] })).toBe(
      "pass",
    );
  });

  it("are pending while there is none at all, since a fresh commit has none yet", () => {
    expect(stateOf({})).toBe("pending");
    expect(gatherCi(ci({ deadline: "passed" }))).toEqual({ state: "pass", rows: [], violations: [] });
  });

  it.each(["failure", "cancelled", "timed_out", "startup_failure", "stale", "something_new", ""])(
    "fail on the conclusion %p: only what is listed is good",
    (conclusion) => {
      expect(stateOf({ checkRuns: [green, check("all", conclusion)] })).toBe("fail");
    },
  );

  it("fail on a check that completed without a conclusion, and crash on no word", () => {
    expect(stateOf({ checkRuns: [check("odd", null, { status: "completed" })] })).toBe("fail");
    expect(stateOf({ checkRuns: [check("odd", null, { status: "a new status" })] })).toBe("pending");
  });

  it("do not take a cancelled aggregate job for a good one when the jobs before it failed", () => {
    expect(stateOf({ checkRuns: [check("test", "failure"), check("all", "cancelled")] })).toBe("fail");
    expect(stateOf({ checkRuns: [check("test", "failure"), check("all", "skipped")] })).toBe("fail");
  });

  it("count a skipped check as the configuration says", () => {
    expect(stateOf({ checkRuns: [green, check("deploy", "skipped")], skipped: "pass" })).toBe("pass");
    expect(stateOf({ checkRuns: [green, check("deploy", "skipped")], skipped: "fail" })).toBe("fail");
  });
});

describe("several results of one check", () => {
  const early = { id: 1, startedAt: "2026-11-30T10:00:00Z" };
  const late = { id: 2, startedAt: "2026-11-30T11:00:00Z" };

  it("are decided by the newest run, which may be better than the cancelled one before", () => {
    const runs = [check("build", "cancelled", early), check("build", "success", late)];
    expect(stateOf({ checkRuns: runs })).toBe("pass");
    expect(stateOf({ checkRuns: [...runs].reverse() })).toBe("pass");
  });

  it("are decided by the newest run also when it is worse", () => {
    expect(stateOf({ checkRuns: [check("build", "success", early), check("build", "failure", late)] })).toBe("fail");
    expect(stateOf({ checkRuns: [check("build", "success", early), check("build", null, late)] })).toBe("pending");
  });

  it("are decided by the id where the time is missing", () => {
    const runs = [
      check("build", "success", { id: 9, startedAt: null }),
      check("build", "failure", { id: 8, startedAt: null }),
    ];
    expect(stateOf({ checkRuns: runs })).toBe("pass");
  });

  it("are different checks when different Apps wrote them", () => {
    expect(
      stateOf({ checkRuns: [check("Build", "failure", early), check("Build", "success", { ...late, appId: 99 })] }),
    ).toBe("fail");
  });

  it("are different checks when different workflows have a job of that name", () => {
    const runs = [
      check("build", "failure", { ...early, workflow: "a.yml" }),
      check("build", "success", { ...late, workflow: "b.yml" }),
    ];
    expect(stateOf({ checkRuns: runs })).toBe("fail");
  });

  it("of a legacy status: the newest counts, and GitHub lists that one first", () => {
    expect(stateOf({ statuses: [status("x", "success", "2026-11-30T12:00:00Z"), status("x", "failure")] })).toBe(
      "pass",
    );
    expect(stateOf({ statuses: [status("x", "failure"), status("x", "success")] })).toBe("fail");
  });

  it("of one workflow: the newest run counts, per event", () => {
    const older = workflowRun({ conclusion: "cancelled" });
    const newer = workflowRun({ id: 2, createdAt: "2026-11-30T11:00:00Z" });
    expect(stateOf({ checkRuns: [green], workflowRuns: [older, newer] })).toBe("pass");
    expect(stateOf({ checkRuns: [green], workflowRuns: [older, { ...newer, event: "pull_request" }] })).toBe("fail");
  });
});

describe("checks that are not there yet", () => {
  it("wait for every workflow run of the commit, not for the first set that is green", () => {
    const runs = [
      workflowRun(),
      workflowRun({ id: 2, workflow: ".github/workflows/e2e.yml", status: "queued", conclusion: null }),
    ];
    expect(stateOf({ checkRuns: [green], workflowRuns: runs })).toBe("pending");
  });

  it("wait for an expected workflow that has no run, and fail when it never comes", () => {
    const expectedWorkflows = [".github/workflows/ci.yml"];
    expect(stateOf({ checkRuns: [green], expectedWorkflows })).toBe("pending");
    const late = gatherCi(ci({ checkRuns: [green], expectedWorkflows, deadline: "passed" }));
    expect(late.state).toBe("fail");
    expect(late.violations).toEqual([expect.objectContaining({ rule: "ci-missing" })]);
  });

  it("are pending while a check that rules demand has not been reported, whatever else has passed", () => {
    const expectedChecks = [{ name: "deploy / preview", appId: null }];
    expect(stateOf({ checkRuns: [green], expectedChecks })).toBe("pending");
    expect(stateOf({ checkRuns: [green, check("deploy / preview", "success")], expectedChecks })).toBe("pass");
    expect(stateOf({ checkRuns: [green, check("deploy / preview", "failure")], expectedChecks })).toBe("fail");
    expect(stateOf({ checkRuns: [green], statuses: [status("deploy / preview", "success")], expectedChecks })).toBe(
      "pass",
    );
    expect(stateOf({ checkRuns: [green], expectedChecks, ignore: ["deploy / preview"] })).toBe("pass");
  });

  it("take a demanded check from the App that must report it only, and never wait for our own", () => {
    const forged = check("scan", "success", { appId: ACTIONS });
    expect(stateOf({ checkRuns: [forged], expectedChecks: [{ name: "scan", appId: 99 }] })).toBe("pending");
    expect(stateOf({ checkRuns: [green], expectedChecks: [{ name: "taskfleet/floor", appId: OWN }] })).toBe("pass");
  });

  it("say that a person has to approve the run of a first-time contributor", () => {
    const waiting = { checkRuns: [green], workflowRuns: [workflowRun({ conclusion: "action_required" })] };
    const open = gatherCi(ci(waiting));
    expect(open.state).toBe("pending");
    expect(open.rows).toContainEqual({
      name: ".github/workflows/ci.yml",
      source: "workflow",
      state: "pending",
      detail: "waits for a person",
    });
    expect(gatherCi(ci({ ...waiting, deadline: "passed" })).violations).toEqual([
      expect.objectContaining({ rule: "ci-overdue", hint: "Approve the workflow run." }),
    ]);
  });

  it("are unknown when GitHub announces more than it listed", () => {
    const short = {
      checkRuns: Array.from({ length: 30 }, (_, id) => check(`c${id}`, "success", { id })),
      totals: { checkRuns: 31, statuses: null },
    };
    expect(stateOf(short)).toBe("pending");
    expect(gatherCi(ci({ ...short, deadline: "passed" })).violations).toEqual([
      expect.objectContaining({ rule: "ci-incomplete" }),
    ]);
    expect(stateOf({ ...short, totals: { checkRuns: 30, statuses: 0 } })).toBe("pass");
  });

  it("fail at the deadline when they still run", () => {
    expect(stateOf({ checkRuns: [check("slow", null)], deadline: "passed" })).toBe("fail");
    expect(stateOf({ statuses: [status("slow", "pending")], deadline: "passed" })).toBe("fail");
  });
});

describe("checks that are not waited for", () => {
  it("are our own App's: the check that shows this result would wait for itself", () => {
    expect(stateOf({ checkRuns: [green, check("taskfleet/accept", null, { appId: OWN })] })).toBe("pass");
    expect(stateOf({ checkRuns: [check("taskfleet/accept", null, { appId: OWN })] })).toBe("pending");
  });

  it("are not those of somebody who only borrows our name", () => {
    expect(stateOf({ checkRuns: [green, check("taskfleet/accept", "failure")] })).toBe("fail");
  });

  it("are the ignored ones", () => {
    expect(
      stateOf({
        checkRuns: [green, check("flaky", "failure")],
        statuses: [status("slow", "pending")],
        ignore: ["flaky", "slow"],
      }),
    ).toBe("pass");
  });
});

describe("gate 9", () => {
  it("takes the gathered state, and pending is no pass", () => {
    const judge = (change: Partial<CiInput>): readonly string[] =>
      listRules(computeFloor(floorInput({ ci: ci(change) })));
    expect(judge({ checkRuns: [green] })).toEqual([]);
    expect(judge({ checkRuns: [check("build", "failure")] })).toEqual(["9 ci-failed"]);
    expect(judge({})).toEqual(["9 ci-pending"]);
    expect(outcomeOf(computeFloor(floorInput({ ci: ci({ deadline: "passed" }) })), 9)).toBe("not-configured");
  });
});
