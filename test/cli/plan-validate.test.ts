import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { buildChunk, buildPlanOf, buildValidPlan, copyLoosely } from "../plan/build-valid-plan.ts";
import { createPlanFolder, improvable } from "./plan-files.ts";
import { type Folder, type Outcome, runShell, runTaskfleet } from "./run-taskfleet.ts";

let folder: Folder;

beforeAll(async () => {
  folder = await createPlanFolder();
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
    expect(await runTaskfleet(["plan", "validate", "-", "-"], JSON.stringify(buildValidPlan()))).toEqual({
      code: 2,
      stdout: "-: valid plan, revision 1, 2 chunks\n",
      stderr: "-: standard input can be read only once\n",
    });
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
    for (const error of objects.flatMap((object) => object["errors"] as Record<string, unknown>[]))
      expect(Object.keys(error)).toEqual(expect.arrayContaining(["pointer", "rule", "message", "found", "allowed"]));
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

  it("never sends the file name's control characters to the terminal", async () => {
    const name = "\u001b[31m\nred.json";
    await folder.write(name, "{");
    const { stdout } = await plan("validate", name);
    expect(stdout).toContain("[31m red.json:1:2: error[json-syntax]");
    expect(stdout).toContain("[31m red.json: not a valid document: 1 error");
    expect((await plan("validate", `no ${name}`)).stderr).toBe("no [31m red.json: there is no such file\n");
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
