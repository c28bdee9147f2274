import { describe, expect, it } from "@jest/globals";
import type { AgentRole, ExecutionPlan } from "../../src/contracts/execution-plan.ts";
import { parseExecutionPlan, validateExecutionPlan } from "../../src/plan/validate-execution-plan.ts";
import { copyLoosely } from "./build-valid-plan.ts";

function buildAgent(
  role: string,
  depends_on: AgentRole["depends_on"] = null,
  worktree: string | null = null,
): AgentRole {
  return { role, model: "sonnet", skills: [], mcps: [], depends_on, worktree, context: `What ${role} needs to know.` };
}

/** The shape of the seed's own example: the synthesizer reaches the others through each other. */
function buildValid(): ExecutionPlan {
  return {
    run_id: "2026-04-06-001",
    task: "add sign-in to the backend",
    target_dir: "projects/todo-app",
    task_brief: {
      type: "backend",
      complexity: "medium",
      inferred: { auth: "JWT", nested: { free: [1, null] } },
      explicit_requirements: ["a login endpoint"],
      implicit_requirements: [],
      ambiguities: [],
      out_of_scope: ["OAuth"],
    },
    agents: [
      buildAgent("backend-developer", null, "feat/jwt-auth"),
      buildAgent("pr-creator", "backend-developer"),
      buildAgent("pr-reviewer", "pr-creator"),
      buildAgent("synthesizer", ["pr-reviewer"]),
    ],
  };
}

// oxlint-disable-next-line typescript/no-explicit-any
type Break = (plan: any) => void;

function validateBroken(change: Break) {
  const plan = copyLoosely(buildValid());
  change(plan);
  return validateExecutionPlan(plan);
}

describe("a valid execution plan", () => {
  it.each<[string, Break]>([
    ["is like the seed's example", () => undefined],
    [
      "may name all roles for the synthesizer",
      (plan) => (plan.agents[3].depends_on = ["backend-developer", "pr-creator", "pr-reviewer"]),
    ],
    ["may have an empty list for null", (plan) => (plan.agents[0].depends_on = [])],
    [
      "may list agents in another order, the synthesizer last",
      (plan) => plan.agents.unshift(...plan.agents.splice(1, 2)),
    ],
    ["may be of the first day of a month", (plan) => (plan.run_id = "2026-12-01-001")],
    ["may work in the whole repository", (plan) => (plan.target_dir = ".")],
    ["may not know its folder", (plan) => (plan.target_dir = null)],
    ["may be the thousandth run of a day", (plan) => (plan.run_id = "2026-04-06-1000")],
    ["may run on a leap day", (plan) => (plan.run_id = "2024-02-29-001")],
    ["may run on the last day of the year", (plan) => (plan.run_id = "2026-12-31-999")],
    ["may run on the leap day of a leap century", (plan) => (plan.run_id = "2000-02-29-001")],
    [
      "may have roles as long as an agent and a chunk together",
      (plan) =>
        plan.agents.unshift({ ...plan.agents[0], role: "x".repeat(202) }) &&
        plan.agents[4].depends_on.push("x".repeat(202)),
    ],
    ["may infer nothing", (plan) => (plan.task_brief.inferred = {})],
    [
      "may have five hundred agents",
      (plan) => {
        const more = Array.from({ length: 500 }, (_, index) => buildAgent(`r${index}`));
        plan.agents.unshift(...more);
        plan.agents.at(-1).depends_on.push(...more.map(({ role }) => role));
      },
    ],
  ])("%s", (_name, change) => {
    expect(validateBroken(change)).toEqual([]);
  });
});

describe("an execution plan is refused", () => {
  it.each<[string, Break]>([
    ["without a part of the task brief", (plan) => delete plan.task_brief.ambiguities],
    ["with an unknown key", (plan) => (plan.status = "running")],
    ["with an unknown key of an agent", (plan) => (plan.agents[0].tools = [])],
    ["without worktree", (plan) => delete plan.agents[0].worktree],
    ["with an empty worktree", (plan) => (plan.agents[0].worktree = "")],
    ["with a worktree git would refuse", (plan) => (plan.agents[0].worktree = "feat/..x")],
    ["with a worktree that is a number", (plan) => (plan.agents[0].worktree = 1)],
    ["with another model", (plan) => (plan.agents[0].model = "gpt")],
    ["with another type of task", (plan) => (plan.task_brief.type = "front-end")],
    ["with another complexity", (plan) => (plan.task_brief.complexity = "hihg")],
    ["with a list for what was inferred", (plan) => (plan.task_brief.inferred = [])],
    ["with a blank requirement", (plan) => (plan.task_brief.explicit_requirements = ["\u200b"])],
    ["with a blank context", (plan) => (plan.agents[1].context = "\n")],
    ["with a blank task", (plan) => (plan.task = " ")],
    ["with a blank skill", (plan) => (plan.agents[1].skills = [""])],
    ["with no agents", (plan) => (plan.agents = [])],
    ["with a run id of another form", (plan) => (plan.run_id = "2026-4-6-1")],
    ["with a run id of five digits", (plan) => (plan.run_id = "2026-04-06-10000")],
    ["with a run id that pads four digits", (plan) => (plan.run_id = "2026-04-06-0100")],
    ["with run 000", (plan) => (plan.run_id = "2026-04-06-000")],
    ["with a day that does not exist", (plan) => (plan.run_id = "2026-02-29-001")],
    ["with a leap day in a common century", (plan) => (plan.run_id = "1900-02-29-001")],
    ["with a thirteenth month", (plan) => (plan.run_id = "2026-13-01-001")],
    ["with month 0", (plan) => (plan.run_id = "2026-00-01-001")],
    ["with day 0", (plan) => (plan.run_id = "2026-01-00-001")],
    ["with day 31 of a short month", (plan) => (plan.run_id = "2026-06-31-001")],
    ["with a folder outside", (plan) => (plan.target_dir = "../x")],
    ["with an empty folder", (plan) => (plan.target_dir = "")],
    [
      "with a role twice",
      (plan) => void ((plan.agents[1].role = "backend-developer"), (plan.agents[2].depends_on = null)),
    ],
    [
      "with roles that differ in case only",
      (plan) =>
        plan.agents.unshift({ ...plan.agents[0], role: "PR-Creator" }) && plan.agents[4].depends_on.push("PR-Creator"),
    ],
    ["with a role that is no id", (plan) => (plan.agents[0].role = "backend developer")],
    [
      "with a role that no branch could end with",
      (plan) => void ((plan.agents[2].role = "x.lock"), (plan.agents[3].depends_on = ["x.lock"])),
    ],
    [
      "with a role of 251 characters",
      (plan) => void ((plan.agents[2].role = "x".repeat(251)), (plan.agents[3].depends_on = ["x".repeat(251)])),
    ],
    ["with a dependency nobody has", (plan) => (plan.agents[1].depends_on = "frontend")],
    ["with a dependency with a slip", (plan) => (plan.agents[3].depends_on = ["pr-reviewer", "pr-creatr"])],
    ["with a dependency twice", (plan) => (plan.agents[3].depends_on = ["pr-reviewer", "pr-reviewer"])],
    ["with a dependency that is a number", (plan) => (plan.agents[3].depends_on = 1)],
    ["with a dependency list that holds a number", (plan) => (plan.agents[3].depends_on = ["pr-reviewer", 1])],
    ["with an agent that waits for itself", (plan) => (plan.agents[0].depends_on = "backend-developer")],
    ["with agents that wait for each other", (plan) => (plan.agents[0].depends_on = ["pr-reviewer"])],
    ["without a synthesizer", (plan) => plan.agents.pop()],
    ["with the synthesizer before the end", (plan) => plan.agents.unshift(plan.agents.pop())],
    ["with the synthesizer alone", (plan) => (plan.agents = [{ ...plan.agents[3], depends_on: null }])],
    ["with a synthesizer that misses a role", (plan) => plan.agents.unshift(buildAgent("docs"))],
    ["with a synthesizer that waits for nobody", (plan) => (plan.agents[3].depends_on = null)],
    [
      "with a synthesizer that misses many",
      (plan) => plan.agents.unshift(...Array.from({ length: 12 }, (_, index) => buildAgent(`r${index}`))),
    ],
  ])("%s", (_name, change) => {
    const problems = validateBroken(change);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems).toMatchSnapshot();
  });

  it("with everything told at once, also about the parts whose shape is sound", () => {
    const problems = validateBroken((plan) => {
      delete plan.task;
      plan.run_id = "2026-02-30-001";
      plan.target_dir = "/abs";
      plan.agents[0].model = 7;
      plan.agents[1].depends_on = "backend-develper";
      plan.agents[2].worktree = "a b";
      plan.agents.push(null);
    });
    expect(problems.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      "required ",
      "type /agents/0/model",
      "type /agents/4",
      "run-id /run_id",
      "path-unsafe /target_dir",
      "role-unknown /agents/1/depends_on",
      "synthesizer-last /agents/3",
      "branch-name /agents/2/worktree",
    ]);
  });

  it("with ten roles named where there are more", () => {
    const problems = validateBroken((plan) => {
      plan.agents = Array.from({ length: 11 }, (_, index) => buildAgent(`r${index}`));
      plan.agents[0].depends_on = "nobody";
    });
    const ten = "r0, r1, r2, r3, r4, r5, r6, r7, r8, r9";
    expect(problems).toMatchObject([
      { rule: "role-unknown", allowed: `the role of an agent: ${ten}` },
      { rule: "synthesizer-missing", found: ten },
    ]);
  });

  it("without a role that cannot be read being called one the synthesizer misses", () => {
    const problems = validateBroken((plan) => (plan.agents[1].role = plan.agents[2].depends_on = null));
    expect(problems.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      "type /agents/1/role",
      "synthesizer-reach /agents/3/depends_on",
    ]);
    expect(problems[1]!.message).toBe("the synthesizer does not wait for backend-developer");
  });

  it("without being told that the synthesizer is missing while a role cannot be read", () => {
    expect(validateBroken((plan) => (plan.agents[3].role = 5)).map(({ rule }) => rule)).toEqual(["type"]);
  });

  it("and not told what the synthesizer misses while a dependency cannot be read", () => {
    const broken = validateBroken((plan) => (plan.agents[3].depends_on = ["pr-reviewer", 1]));
    expect(broken.map(({ rule }) => rule)).toEqual(["type"]);
    const missing = validateBroken((plan) => plan.agents.unshift(null, buildAgent("docs")));
    expect(missing.map(({ rule }) => rule)).toEqual(["type"]);
    const ten = validateBroken((plan) =>
      plan.agents.unshift(...Array.from({ length: 10 }, (_, index) => buildAgent(`r${index}`))),
    );
    expect(ten.map(({ message }) => message)).toEqual([
      "the synthesizer does not wait for r0, r1, r2, r3, r4, r5, r6, r7, r8, r9",
    ]);
  });

  it("when it is no object, or no JSON", () => {
    expect(validateExecutionPlan([]).map(({ rule }) => rule)).toEqual(["type"]);
    expect(parseExecutionPlan("{").problems).toMatchObject([{ rule: "json-syntax", line: 1, column: 2 }]);
    expect(parseExecutionPlan('{"run_id": 1, "run_id": 2}').problems).toMatchObject([{ rule: "duplicate-key" }]);
    expect(parseExecutionPlan("{}", { maxBytes: 1 }).problems).toMatchObject([{ rule: "size-limit" }]);
  });

  it("with the place of each problem in its text", () => {
    const text = JSON.stringify({ ...buildValid(), run_id: "x" }, null, 1);
    expect(parseExecutionPlan(text)).toMatchObject({
      plan: null,
      problems: [{ pointer: "/run_id", line: 2, column: 12 }],
    });
    expect(parseExecutionPlan(JSON.stringify(buildValid()))).toEqual({ plan: buildValid(), problems: [] });
  });
});
