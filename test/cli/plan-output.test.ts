import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parseExecutionPlan } from "../../src/plan/validate-execution-plan.ts";
import { buildChunk, buildPlanOf, buildValidPlan } from "../plan/build-valid-plan.ts";
import { createPlanFolder } from "./plan-files.ts";
import { type Folder, type Outcome, runTaskfleet } from "./run-taskfleet.ts";

let folder: Folder;

beforeAll(async () => {
  folder = await createPlanFolder();
});

afterAll(() => folder.remove());

function plan(...args: string[]): Promise<Outcome> {
  return folder.run("plan", ...args);
}

describe("plan render, graph and order", () => {
  it("print Markdown", async () => {
    expect((await plan("render", "plan.json")).stdout).toMatch(/^# Plan: todo\n\nRevision 1 for intent 1/);
    expect((await plan("render", "execution.json")).stdout).toMatch(/^\| Role \|/);
    expect(JSON.parse((await plan("render", "--json", "plan.json")).stdout)).toMatchObject({
      file: "plan.json",
      kind: "plan",
      markdown: expect.stringContaining("# Plan: todo"),
    });
  });

  it("draw boxes and arrows", async () => {
    const { stdout, code } = await plan("graph", "plan.json");
    expect(code).toBe(0);
    expect(stdout).toBe(["┌─────┐    ┌───┐", "│store├───►│api│", "└─────┘    └───┘", ""].join("\n"));
    expect((await plan("graph", "--mermaid", "plan.json")).stdout).toBe(
      'flowchart LR\n  n0["store<br/>Build store"]\n  n1["api<br/>Build api"]\n  n0 --> n1\n',
    );
    expect((await plan("graph", "execution.json")).stdout).toContain("synthesizer");
    expect(JSON.parse((await plan("graph", "--json", "plan.json")).stdout)).toMatchObject({
      mermaid: expect.stringContaining("flowchart"),
    });
  });

  it("list a large graph by stages", async () => {
    const chunks = Array.from({ length: 41 }, (_, index) =>
      buildChunk(`c${index}`, { deps: index === 0 ? [] : ["c0"] }),
    );
    const { stdout } = await runTaskfleet(["plan", "graph", "-"], JSON.stringify(buildPlanOf(...chunks)));
    expect(stdout.split("\n").slice(0, 4)).toEqual(["stage 1 (1)", "  c0", "stage 2 (40)", "  c1  <- c0"]);
  });

  it("print the order", async () => {
    const dag = buildPlanOf(buildChunk("c", { deps: ["a", "b"] }), buildChunk("b"), buildChunk("a"));
    const order = (...options: string[]) => runTaskfleet(["plan", "order", ...options, "-"], JSON.stringify(dag));
    expect((await order()).stdout).toBe("b\na\nc\n");
    expect((await order("--stages")).stdout).toBe("b a\nc\n");
    expect(JSON.parse((await order("--json")).stdout)).toEqual({
      file: "-",
      kind: "plan",
      order: ["b", "a", "c"],
      stages: [["b", "a"], ["c"]],
      critical_path: ["b", "c"],
    });
  });

  it("report what is wrong on standard error, so that results can be piped", async () => {
    const { code, stdout, stderr } = await plan("order", "broken.json", "plan.json");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "store\napi\n" });
    expect(stderr).toContain("broken.json: not a valid plan: 2 errors");
  });
});

describe("plan diff", () => {
  it("says what a revision means", async () => {
    const { code, stdout } = await plan("diff", "plan.json", "next.json", "--landed", "store");
    expect({ code, stdout }).toMatchSnapshot();
    expect((await plan("diff", "--markdown", "plan.json", "next.json")).stdout).toMatch(
      /^# Plan diff: revision 1 → 2\n/,
    );
    expect(JSON.parse((await plan("diff", "--json", "plan.json", "next.json")).stdout)).toMatchObject({
      files: ["plan.json", "next.json"],
      valid: true,
      errors: [],
      diff: { from: 1, to: 2, chunks: [{ kind: "cosmetic" }, { kind: "redefined" }] },
    });
  });

  it("refuses another content under the same number", async () => {
    const { code, stdout, stderr } = await plan("diff", "plan.json", "rewritten.json");
    expect(code).toBe(1);
    expect(stdout).toContain("intent 1 -> 2");
    expect(stderr).toContain("rewritten.json:3:15: error[revision-immutable]");
    expect((await plan("diff", "plan.json", "plan.json")).code).toBe(0);
  });

  it("compares two valid plans only", async () => {
    expect((await plan("diff", "plan.json", "broken.json")).code).toBe(1);
    expect((await plan("diff", "missing.json", "broken.json")).code).toBe(2);
    expect((await plan("diff", "execution.json", "plan.json")).code).toBe(2);
    const { stdout } = await plan("diff", "--json", "plan.json", "execution.json");
    expect(JSON.parse(stdout)).toMatchObject({ file: "execution.json", errors: [{ rule: "wrong-kind" }] });
    expect((await plan("diff", "plan.json")).code).toBe(2);
    expect((await plan("diff", "plan.json", "plan.json", "plan.json")).code).toBe(2);
  });
});

describe("plan compile", () => {
  it("prints a valid execution plan, the same each time", async () => {
    const first = await plan("compile", "plan.json");
    expect(first.code).toBe(0);
    expect(parseExecutionPlan(first.stdout).plan).toMatchObject({ run_id: "1970-01-01-001", task: "The feature todo" });
    expect(await plan("compile", "plan.json")).toEqual(first);
  });

  it("takes no registry that is only half there", async () => {
    await folder.write("taskfleet.yml", "_extends: settings\nagents:\n  - name: front\n");
    const { code, stderr } = await plan("compile", "--config", "taskfleet.yml", "plan.json");
    expect([code, stderr]).toEqual([2, expect.stringContaining("extends `settings`, which is not read here")]);
  });

  it("takes run id, task, registry and draft", async () => {
    await folder.write(
      "taskfleet.yml",
      "agents:\n  - name: front\n    paths: [src/api, test]\n  - name: back\n    paths: [src/store, test]\n",
    );
    const { chunks, acceptance } = buildValidPlan();
    await folder.write("draft.json", {
      kind: "plan",
      title: "Todos",
      goal: "A list.",
      task_brief: { complexity: "high" },
      chunks,
      acceptance,
      assignments: { store: "front" },
    });
    const options = [
      "--run-id",
      "2026-11-30-007",
      "--task",
      "A list",
      "--config",
      "taskfleet.yml",
      "--draft",
      "draft.json",
    ];
    const compiled = JSON.parse((await plan("compile", "--json", ...options, "plan.json")).stdout) as {
      agents: { role: string; worktree: string | null }[];
    };
    expect(compiled).toMatchObject({ run_id: "2026-11-30-007", task: "A list", task_brief: { complexity: "high" } });
    expect(compiled.agents.slice(0, 3).map(({ role, worktree }) => [role, worktree])).toEqual([
      ["front--store", "taskfleet/7-todo/chunk/store"],
      ["review--store", null],
      ["front--api", "taskfleet/7-todo/chunk/api"],
    ]);
    expect((await plan("compile", "--markdown", ...options, "plan.json")).stdout).toMatch(/^\| Role \|/);
    expect((await plan("render", "--draft", "draft.json", "plan.json")).stdout).toMatch(
      /^# Plan: Todos\n[\s\S]*## Goal\n\nA list\.\n/,
    );
  });

  it("exits 2 for arguments that make no sense and 1 for side files that are wrong", async () => {
    await folder.write("wrong.yml", "agnets: []\n");
    await folder.write("questions.json", '{"kind": "questions", "questions": ["why?"]}');
    expect((await plan("compile", "--run-id", "today", "plan.json")).code).toBe(2);
    expect((await plan("compile", "--config", "missing.yml", "plan.json")).code).toBe(2);
    expect((await plan("compile", "--draft", "missing.json", "plan.json")).code).toBe(2);
    const config = await plan("compile", "--config", "wrong.yml", "plan.json");
    expect(config.code).toBe(1);
    expect(config.stderr).toContain("agnets");
    expect(await plan("compile", "--draft", "questions.json", "plan.json")).toEqual({
      code: 1,
      stdout: "",
      stderr: "questions.json: the draft holds questions, no plan\n",
    });
    expect((await plan("render", "--draft", "broken.json", "plan.json")).code).toBe(1);
    expect((await plan("compile", "execution.json")).code).toBe(1);
  });
});
