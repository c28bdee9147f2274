import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { RegisteredAgent } from "../../src/plan/compile/compile-context.ts";
import { compileExecutionPlan, formatExecutionPlan } from "../../src/plan/compile/compile-execution-plan.ts";
import { deriveAssignments } from "../../src/plan/compile/derive-assignments.ts";
import { RoleNames } from "../../src/plan/compile/role-names.ts";
import { deriveTargetDir } from "../../src/plan/compile/target-dir.ts";
import { lintExecutionPlan } from "../../src/plan/lint/lint-execution-plan.ts";
import { validateExecutionPlan } from "../../src/plan/validate-execution-plan.ts";
import { planArbitrary } from "./arbitrary-plan.ts";
import { buildContext } from "./build-context.ts";
import { buildChunk, buildPlanOf, buildValidPlan } from "./build-valid-plan.ts";

const agent = (name: string, ...paths: string[]): RegisteredAgent => ({
  name,
  description: "",
  preset: "claude",
  skills: [],
  mcps: [],
  paths,
});

describe("the execution plan before planning", () => {
  it("starts a planner, three blind reviewers and the synthesizer", () => {
    const plan = compileExecutionPlan(null, buildContext());
    expect(plan.agents.map(({ role, depends_on }) => [role, depends_on])).toEqual([
      ["planner", null],
      ["plan-review--feasibility", "planner"],
      ["plan-review--completeness", "planner"],
      ["plan-review--scope", "planner"],
      ["synthesizer", ["plan-review--feasibility", "plan-review--completeness", "plan-review--scope"]],
    ]);
    expect(validateExecutionPlan(plan)).toEqual([]);
    expect(lintExecutionPlan(plan)).toEqual([]);
    expect(plan).toMatchSnapshot();
  });

  it("says that a plan people have written is read, not made", () => {
    const [planner] = compileExecutionPlan(null, buildContext({ planSource: "issue" })).agents;
    expect(planner).toMatchObject({
      role: "planner",
      context:
        "Read the plan that stands in the issue and hold it to the planner's gates. Done by the App without a model.",
    });
  });
});

describe("the execution plan of a revision", () => {
  const plan = buildPlanOf(
    buildChunk("wire", { deps: ["left", "right", "base"], tier: "high", assertions: ["it is reachable"] }),
    buildChunk("left", { deps: ["base"], tier: "code", requires_tests: true }),
    buildChunk("right", { deps: ["base"] }),
    buildChunk("base"),
  );

  it("has an implementer and a reviewer for each chunk, in order, and ends with the synthesizer", () => {
    const compiled = compileExecutionPlan(plan, buildContext());
    expect(compiled.agents.map(({ role, depends_on, model }) => [role, depends_on, model])).toEqual([
      ["web--base", null, "sonnet"],
      ["review--base", "web--base", "sonnet"],
      ["web--left", ["review--base"], "haiku"],
      ["review--left", "web--left", "sonnet"],
      ["web--right", ["review--base"], "sonnet"],
      ["review--right", "web--right", "sonnet"],
      ["web--wire", ["review--left", "review--right"], "opus"],
      ["review--wire", "web--wire", "opus"],
      ["final-reviewer", ["review--wire"], "opus"],
      ["pr-creator", "final-reviewer", "haiku"],
      ["synthesizer", "pr-creator", "haiku"],
    ]);
    expect(validateExecutionPlan(compiled)).toEqual([]);
    expect(lintExecutionPlan(compiled)).toEqual([]);
  });

  it("carries brief, assignments, checkpoints, skills and branches", () => {
    const context = buildContext({
      agents: [{ ...agent("web", "src/left"), skills: ["css"], mcps: ["browser"] }, agent("api", "src/right", "test")],
      assignments: { base: "web", left: "gone" },
      checkpoints: [{ after: "base", reason: "the schema decides everything" }],
      taskBrief: {
        type: "fullstack",
        complexity: "high",
        inferred: { stack: "node" },
        explicit_requirements: ["a list", " "],
        implicit_requirements: ["\u200b"],
        ambiguities: ["which browser?"],
        out_of_scope: [],
      },
    });
    const compiled = compileExecutionPlan(plan, context);
    expect(validateExecutionPlan(compiled)).toEqual([]);
    expect(compiled).toMatchSnapshot();
  });

  it("speaks of one chunk and one criterion where there is one", () => {
    const one = { ...buildPlanOf(buildChunk("a")), acceptance: [buildValidPlan().acceptance[0]!] };
    const contexts = compileExecutionPlan(one, buildContext()).agents.map(({ context }) => context);
    expect(contexts[2]).toContain("against 1 acceptance criterion of plan revision 1 and the intent");
    expect(contexts[2]).toContain("look at how the 1 chunk works together");
    expect(contexts[4]).toContain("the outcome of the 1 chunk of plan revision 1");
  });

  it("takes a text for the task even where the issue has none", () => {
    expect(compileExecutionPlan(plan, buildContext({ task: " \n" })).task).toBe("(the issue has no text)");
  });

  it("keeps roles apart that would have one name", () => {
    const twins = buildPlanOf(buildChunk("x"), buildChunk("y--x"), buildChunk("a"), buildChunk("b--a"));
    const context = buildContext({
      agents: [agent("review"), agent("a--b"), agent("A"), agent("z")],
      assignments: { x: "review", "y--x": "z", a: "a--b", "b--a": "A" },
    });
    const compiled = compileExecutionPlan(twins, context);
    expect(compiled.agents.map(({ role }) => role).slice(0, 8)).toEqual([
      "review--x",
      "review--x.2",
      "z--y--x",
      "review--y--x",
      "a--b--a",
      "review--a",
      "A--b--a.2",
      "review--b--a",
    ]);
    expect(compiled.agents[1]!.depends_on).toBe("review--x");
    expect(validateExecutionPlan(compiled)).toEqual([]);
  });

  it("is valid and the same bytes for the same input, whatever the plan", () => {
    fc.assert(
      fc.property(planArbitrary, (any) => {
        const compiled = compileExecutionPlan(any, buildContext());
        expect(validateExecutionPlan(compiled)).toEqual([]);
        expect(formatExecutionPlan(compiled)).toBe(
          formatExecutionPlan(compileExecutionPlan(structuredClone(any), structuredClone(buildContext()))),
        );
      }),
    );
  });

  it("is committed with a final line break", () => {
    const text = formatExecutionPlan(compileExecutionPlan(null, buildContext()));
    expect(text.startsWith('{\n  "run_id": "2026-11-30-001",\n')).toBe(true);
    expect(text.endsWith("}\n")).toBe(true);
  });
});

describe("a chunk's agent", () => {
  const assign = (files: string[], agents: RegisteredAgent[], assignments?: Record<string, string>) =>
    deriveAssignments([buildChunk("x", { files_touched: files })], agents, assignments).get("x")?.name ?? null;

  it("is the assigned one, while the registry has it", () => {
    expect(assign(["a"], [agent("one"), agent("two")], { x: "two" })).toBe("two");
    expect(assign(["a"], [agent("one"), agent("two")], { x: "three" })).toBeNull();
    expect(assign(["a"], [agent("one")], { x: "three" })).toBeNull();
    expect(
      assign(["a"], [agent("one"), agent("two")], JSON.parse('{"__proto__":{"x":"one"}}') as Record<string, string>),
    ).toBeNull();
  });

  it("is the only one there is", () => {
    expect(assign(["a"], [agent("one", "elsewhere")])).toBe("one");
  });

  it("is the one whose folders hold all files, the most specific first", () => {
    const agents = [
      agent("all", "."),
      agent("web", "packages/web/", "test"),
      agent("ui", "./packages/web/ui/**"),
      agent("none"),
    ];
    expect(assign(["packages/web/a.ts"], agents)).toBe("web");
    expect(assign(["packages/web/a.ts", "test/a.ts"], agents)).toBe("web");
    expect(assign(["packages/web/ui/a.ts"], agents)).toBe("ui");
    expect(assign(["packages/web/ui/a.ts", "packages/web/b.ts"], agents)).toBe("web");
    expect(assign(["PACKAGES/Web/a.ts"], agents)).toBe("web");
    expect(assign(["packages/website/a.ts"], agents)).toBe("all");
    expect(assign(["packages/web"], agents)).toBe("web");
    expect(assign(["packages/webs/a.ts"], agents.slice(1))).toBeNull();
    expect(assign(["a"], [agent("one"), agent("two")])).toBeNull();
    expect(assign(["src/a"], [agent("one", "src"), agent("two", "src")])).toBe("one");
    expect(assign(["lib/web/ui/a"], [agent("web", "lib/web"), agent("ui", "lib", "lib/web/ui")])).toBe("ui");
  });

  it.each([
    ["**", "src/a.ts", true],
    ["*", "a.ts", true],
    ["./", "a.ts", true],
    ["./src", "src/a.ts", true],
    ["src*", "src/a.ts", true],
    ["src//", "src/a.ts", true],
    ["src/v1.2", "src/v1.2/a.ts", true],
    ["src/v1.2", "src/v12/a.ts", false],
    ["src/*/ui", "src/ui/a.ts", false],
    ["src/*/ui", "src/web/ui/a.ts", false],
  ])("whose folder is %s takes %s: %j", (folder, file, fits) => {
    expect(assign([file], [agent("own", folder), agent("other", "elsewhere")])).toBe(fits ? "own" : null);
  });
});

describe("the target folder", () => {
  it.each([
    [["src/a/x.ts", "src/a/y.ts"], "src/a"],
    [["src/a/x.ts", "src/ab/y.ts"], "src"],
    [["src/a/x.ts", "src/a"], "src"],
    [["src/a/x.ts", "test/y.ts"], "."],
    [["x.ts"], "."],
    [["projects/todo/src/x.ts"], "projects/todo/src"],
    [[], "."],
    [["a/b/c/d", "a/b/x/d", "a/y"], "a"],
  ])("of %j is %s", (files, folder) => {
    expect(deriveTargetDir(files)).toBe(folder);
  });

  it("stands in the document", () => {
    expect(compileExecutionPlan(buildValidPlan(), buildContext()).target_dir).toBe(".");
    expect(
      compileExecutionPlan(buildPlanOf(buildChunk("a", { files_touched: ["lib/x/a", "lib/x/b"] })), buildContext())
        .target_dir,
    ).toBe("lib/x");
  });
});

describe("role names", () => {
  it("are never given out twice", () => {
    const names = new RoleNames(["Synthesizer"]);
    expect(["a", "A", "a", "synthesizer", "a.2"].map((name) => names.take(name))).toEqual([
      "a",
      "A.2",
      "a.3",
      "synthesizer.2",
      "a.2.2",
    ]);
  });
});
