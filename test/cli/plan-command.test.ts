import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { compileExecutionPlan } from "../../src/plan/compile/compile-execution-plan.ts";
import { parseExecutionPlan } from "../../src/plan/validate-execution-plan.ts";
import { buildContext } from "../plan/build-context.ts";
import { buildChunk, buildPlanOf, buildValidPlan, copyLoosely } from "../plan/build-valid-plan.ts";
import { createFolder, type Folder, type Outcome, runShell, runTaskfleet } from "./run-taskfleet.ts";

let folder: Folder;
const broken = copyLoosely(buildValidPlan());
broken.chunks[1].deps = ["stoer"];
broken.chunks[0].tier = "hihg";
const improvable = buildPlanOf(buildChunk("a", { checks: [{ desc: "done", run: "npm test || true" }] }));

beforeAll(async () => {
  folder = await createFolder();
  await folder.write("plan.json", buildValidPlan());
  await folder.write("broken.json", broken);
  await folder.write("improvable.json", improvable);
  await folder.write("next.json", {
    ...buildValidPlan(),
    plan_rev: 2,
    chunks: [
      buildChunk("store", { title: "Other" }),
      buildChunk("api", { brief: "Serve what src/store/index.ts holds." }),
    ],
  });
  await folder.write("rewritten.json", { ...buildValidPlan(), intent_rev: 2 });
  await folder.write("execution.json", compileExecutionPlan(buildValidPlan(), buildContext()));
  await folder.write("syntax.json", '{\n  "schema_version": 3,\n  "plan_rev": 1,,\n}');
  await folder.write("neither.json", "{}");
  await folder.write("latin1.json", Uint8Array.of(0x22, 0xe9, 0x22));
});

afterAll(() => folder.remove());

function plan(...args: string[]): Promise<Outcome> {
  return folder.run("plan", ...args);
}

describe("plan validate", () => {
  it("says what each valid file is and exits 0", async () => {
    expect(await plan("validate", "plan.json", "execution.json", "improvable.json")).toEqual({
      code: 0,
      stdout: [
        "plan.json: valid plan, revision 1, 2 chunks",
        "execution.json: valid execution plan, run 2026-11-30-001, 7 agents",
        "improvable.json: valid plan, revision 1, 1 chunk, 1 warning (`taskfleet plan lint` shows them)",
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  it("points into the source like a compiler and exits 1", async () => {
    const { code, stdout, stderr } = await plan("validate", "broken.json");
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatchSnapshot();
  });

  it("exits 1 for what is readable but no document, whatever the reason", async () => {
    const { code, stdout } = await plan("validate", "syntax.json", "latin1.json");
    expect(code).toBe(1);
    expect(stdout).toMatchSnapshot();
    expect((await plan("validate", "--max-bytes", "10", "plan.json")).code).toBe(1);
    expect((await runTaskfleet(["plan", "validate", "-"], '{"schema_version": 2}')).code).toBe(1);
    expect((await runTaskfleet(["plan", "validate", "-"], '{"run_id": 1, "run_id": 2}')).code).toBe(1);
  });

  it("exits 2 for what cannot be examined, and the highest code wins", async () => {
    const { code, stdout, stderr } = await plan(
      "validate",
      "missing.json",
      "broken.json",
      "plan.json",
      ".",
      "neither.json",
    );
    expect(code).toBe(2);
    expect(stderr).toBe(
      [
        "missing.json: there is no such file",
        ".: this is a folder",
        'neither.json: it is neither a plan ("schema_version") nor an execution plan ("run_id"); name it with --kind',
        "",
      ].join("\n"),
    );
    expect(stdout).toContain("plan.json: valid plan");
  });

  it("takes the kind it is told", async () => {
    expect((await plan("validate", "--kind", "plan", "neither.json")).stdout).toContain("version-missing");
    expect((await plan("validate", "--kind", "execution-plan", "neither.json")).code).toBe(1);
    expect((await plan("validate", "--kind", "execution-plan", "execution.json")).code).toBe(0);
  });

  it("reads standard input", async () => {
    const outcome = await runTaskfleet(["plan", "validate", "-"], `\uFEFF${JSON.stringify(buildValidPlan())}`);
    expect(outcome).toEqual({ code: 0, stdout: "-: valid plan, revision 1, 2 chunks\n", stderr: "" });
  });

  it("prints one JSON object for each file", async () => {
    const { code, stdout, stderr } = await plan(
      "validate",
      "--json",
      "plan.json",
      "broken.json",
      "missing.json",
      "neither.json",
      "syntax.json",
      "improvable.json",
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    const objects = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(objects.map((object) => Object.keys(object))).toEqual(
      objects.map(() => ["file", "kind", "valid", "errors", "warnings"]),
    );
    expect(objects).toMatchObject([
      { file: "plan.json", kind: "plan", valid: true, errors: [], warnings: [] },
      {
        file: "broken.json",
        kind: "plan",
        valid: false,
        errors: [{ rule: "enum", pointer: "/chunks/0/tier", line: 33 }, { rule: "dep-unknown" }],
        warnings: [],
      },
      { file: "missing.json", kind: null, valid: false, errors: [{ rule: "unreadable", pointer: "" }] },
      { file: "neither.json", kind: null, valid: false, errors: [{ rule: "unknown-kind" }] },
      { file: "syntax.json", kind: null, valid: false, errors: [{ rule: "json-syntax", line: 3, column: 17 }] },
      {
        file: "improvable.json",
        kind: "plan",
        valid: true,
        errors: [],
        warnings: [{ rule: "check-cannot-fail", pointer: "/chunks/0/checks/0/run" }],
      },
    ]);
  });

  it("never sends the document's control characters to the terminal", async () => {
    const evil = copyLoosely(buildValidPlan());
    evil.chunks[0].tier = "\u001b[31mred\u0007\u202e";
    const { stdout } = await runTaskfleet(
      ["plan", "validate", "-"],
      JSON.stringify(evil, null, 2).replace('"tier": "mid"', '"tier":\t"mid"'),
    );
    for (const character of "\u001b\u0007\u202e\t") expect(stdout).not.toContain(character);
    const raw = await runTaskfleet(["plan", "validate", "-"], '{"a": "\u202e\u0085", "schema_version": 3}');
    expect(raw.stdout).not.toMatch(/[\u202e\u0085]/);
    expect(raw.stdout).toContain('"a": "··"');
  });
});

describe("plan lint", () => {
  it("shows warnings and exits 0", async () => {
    const { code, stdout, stderr } = await plan("lint", "improvable.json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatchSnapshot();
  });

  it("makes errors of the denied rules", async () => {
    expect((await plan("lint", "--deny", "check-cannot-fail", "improvable.json")).code).toBe(1);
    expect((await plan("lint", "--deny", "many-files", "--deny", "all", "improvable.json")).code).toBe(1);
    expect((await plan("lint", "--deny", "many-files", "improvable.json")).code).toBe(0);
    expect((await plan("lint", "--deny", "no-such-rule", "improvable.json")).code).toBe(2);
  });

  it("knows protected and forbidden files", async () => {
    const guarded = buildPlanOf(
      buildChunk("a", { files_touched: ["package.json", ".github/workflows/ci.yml", "src/a.ts"] }),
    );
    const { stdout } = await runTaskfleet(["plan", "lint", "--json", "-"], JSON.stringify(guarded));
    expect(JSON.parse(stdout)).toMatchObject({ warnings: [{ rule: "protected-file" }, { rule: "forbidden-file" }] });
  });
});

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

describe("the command line", () => {
  it("explains itself", async () => {
    const { code, stdout } = await runTaskfleet(["plan", "--help"]);
    expect(code).toBe(0);
    for (const name of ["validate", "lint", "render", "graph", "order", "compile", "diff"])
      expect(stdout).toContain(name);
    expect((await runTaskfleet(["plan", "validate", "--help"])).code).toBe(0);
    expect((await runTaskfleet(["--help"])).stdout).toContain("plan");
  });

  it.each([
    [[]],
    [["nope"]],
    [["plan"]],
    [["plan", "nope"]],
    [["plan", "validate"]],
    [["plan", "validate", "--nope", "x"]],
    [["plan", "validate", "--kind", "x", "y"]],
    [["plan", "validate", "--max-bytes", "0", "x"]],
    [["plan", "validate", "--max-bytes", "1.5", "x"]],
  ])("exits 2 for %j and says why", async (args) => {
    const { code, stderr } = await runTaskfleet(args);
    expect(code).toBe(2);
    expect(stderr).not.toBe("");
  });

  it("is a process that ends quietly when nobody reads on", async () => {
    await folder.write(
      "large.json",
      buildPlanOf(...Array.from({ length: 2000 }, (_, index) => buildChunk(`c${index}`))),
    );
    const line =
      '$TASKFLEET plan render large.json | head -n 1; $TASKFLEET plan validate - <broken.json | tail -n 1; $TASKFLEET plan validate missing.json; echo "$?"';
    expect(await runShell(line, folder.path)).toBe(
      "# Plan: todo\n-: not a valid plan: 2 errors\n2\nmissing.json: there is no such file\n",
    );
  });

  it("colours what is wrong when somebody looks", async () => {
    const colours = await runTaskfleet(["plan", "lint", "-"], JSON.stringify(improvable), true);
    expect(colours.stdout).toContain("\u001b[33mwarning[check-cannot-fail]\u001b[39m");
    expect((await runTaskfleet(["plan", "validate", "-"], "{", true)).stdout).toContain(
      "\u001b[31merror[json-syntax]\u001b[39m",
    );
  });

  it("refuses an input that is too large without reading all of it", async () => {
    const { code, stdout } = await runTaskfleet(
      ["plan", "validate", "--max-bytes", "1000", "-"],
      "x".repeat(5_000_000),
    );
    expect(code).toBe(1);
    expect(stdout).toContain("size-limit");
  });
});
