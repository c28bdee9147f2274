import { describe, expect, it } from "@jest/globals";
import type { Chunk, Plan } from "../../../src/contracts/plan.ts";
import { lintExecutionPlan } from "../../../src/plan/lint/lint-execution-plan.ts";
import type { LintOptions } from "../../../src/plan/lint/lint-context.ts";
import { lintPlan, promoteWarnings } from "../../../src/plan/lint/lint-plan.ts";
import { isLintRule, lintRules } from "../../../src/plan/lint/lint-rules.ts";
import { compileExecutionPlan } from "../../../src/plan/compile/compile-execution-plan.ts";
import { validatePlan } from "../../../src/plan/validate-plan.ts";
import { buildChunk, buildPlanOf, buildValidPlan } from "../build-valid-plan.ts";
import { buildContext } from "../build-context.ts";

function lint(plan: Plan, options?: LintOptions) {
  expect(validatePlan(plan)).toEqual([]);
  return lintPlan(plan, options);
}

/** Rule and pointer of each warning. */
function list(plan: Plan, options?: LintOptions): string[] {
  return lint(plan, options).map(({ rule, pointer }) => `${rule} ${pointer}`);
}

function withChunk(overrides: Partial<Chunk>): Plan {
  return buildPlanOf(buildChunk("store", overrides));
}

describe("a plan with nothing to improve", () => {
  it("gets no warnings", () => {
    expect(lint(buildValidPlan())).toEqual([]);
  });
});

describe("order", () => {
  const shared = { files_touched: ["src/a.ts", "src/shared.ts"] };

  it("is missed between chunks that share a file", () => {
    const plan = buildPlanOf(
      buildChunk("a", shared),
      buildChunk("b"),
      buildChunk("c", { files_touched: ["SRC/c.ts", "src/shared.ts"] }),
    );
    expect(lint(plan)).toMatchSnapshot();
  });

  it("is there when the second chunk waits for the first, directly or not", () => {
    const plan = buildPlanOf(
      buildChunk("c", {
        ...shared,
        deps: ["b"],
        brief: "Extend what chunk b has built so that shared state survives.",
      }),
      buildChunk("b", { deps: ["a"], brief: "Extend what chunk a has built so that shared state survives." }),
      buildChunk("a", { files_touched: ["src/shared.ts"] }),
    );
    expect(list(plan)).toEqual([]);
  });

  it("is missed once for each neighbouring pair of three", () => {
    const plan = buildPlanOf(buildChunk("a", shared), buildChunk("b", shared), buildChunk("c", shared));
    expect(list(plan).filter((line) => line.startsWith("overlap"))).toEqual([
      "overlap-parallel /chunks/1/files_touched",
      "overlap-parallel /chunks/1/files_touched",
      "overlap-parallel /chunks/2/files_touched",
      "overlap-parallel /chunks/2/files_touched",
    ]);
  });

  it("concerns a file of one chunk that is a folder of another", () => {
    const plan = buildPlanOf(
      buildChunk("a", { files_touched: ["src/x"] }),
      buildChunk("b", { files_touched: ["SRC/X/y.ts"] }),
    );
    expect(lint(plan)).toMatchSnapshot();
  });

  it("is said twice by a redundant dep", () => {
    const plan = buildPlanOf(
      buildChunk("a"),
      buildChunk("b", { deps: ["a"], brief: "Use what src/a/index.ts exports and add a second function to it." }),
      buildChunk("c", { deps: ["b", "a"], brief: "Use what src/a/index.ts and src/b/index.ts export, both of them." }),
    );
    expect(lint(plan)).toMatchSnapshot();
  });
});

describe("a dep", () => {
  const needing = (overrides: Partial<Chunk>): Plan =>
    buildPlanOf(
      buildChunk("auth-api", { title: "Sign people in" }),
      buildChunk("page", { deps: ["auth-api"], ...overrides }),
    );

  it("is needless when nothing is shared and nothing mentioned", () => {
    expect(lint(needing({}))).toMatchSnapshot();
  });

  it.each<[string, Partial<Chunk>]>([
    ["a shared file", { files_touched: ["src/page.ts", "test/auth-api.test.ts"] }],
    ["the other's id", { brief: "Show the sign-in form and send it to what AUTH-API serves." }],
    ["the other's title", { brief: "Once people can sign in (chunk: sign people in), show their name." }],
    ["one of its files", { brief: "Call the function that src/auth-api/index.ts exports on submit." }],
    [
      "the base name of a file",
      { checks: [{ desc: "the page calls auth-api", run: "npm test -- test/page.test.ts" }] },
    ],
    ["a command that names it", { checks: [{ desc: "it signs in", run: "grep auth-api src/page/index.ts" }] }],
    ["an assertion that names it", { assertions: ["the form posts to the auth-api"] }],
    ["its title in the title", { title: "Form to sign people in" }],
  ])("is believed for %s", (_reason, overrides) => {
    expect(list(needing(overrides))).toEqual([]);
  });

  it.each([
    ["lib/main.ts", "This is the main page and shows all of the amounts."],
    ["lib/report.ts", "Fill lib/pages/report.ts with a table of all of the amounts."],
  ])("is not believed for a name like that of %s", (file, brief) => {
    const plan = buildPlanOf(
      buildChunk("first", { files_touched: [file] }),
      buildChunk("second", { deps: ["first"], files_touched: ["lib/pages/report.ts"], brief }),
    );
    expect(list(plan)).toEqual(["needless-dep /chunks/1/deps/0"]);
  });

  it("is not believed for a base name of three letters", () => {
    const plan = buildPlanOf(
      buildChunk("first", { files_touched: ["lib/sum.ts"] }),
      buildChunk("second", { deps: ["first"], brief: "Show the sum of all amounts at the foot of the table." }),
    );
    expect(list(plan)).toEqual(["needless-dep /chunks/1/deps/0"]);
  });

  it("is believed for the name of a hidden file", () => {
    const plan = buildPlanOf(
      buildChunk("first", { files_touched: [".env"] }),
      buildChunk("second", { deps: ["first"], brief: "Read the address of the service from .env at the start." }),
    );
    expect(list(plan)).toEqual([]);
  });
});

describe("wiring", () => {
  const part = (id: string, overrides: Partial<Chunk> = {}): Chunk => buildChunk(id, overrides);

  it("is missed when three chunks create modules side by side", () => {
    expect(lint(buildPlanOf(part("one"), part("two"), part("three")))).toMatchSnapshot();
  });

  it("is not missed with two modules, or when the third has tests or words only", () => {
    expect(list(buildPlanOf(part("one"), part("two")))).toEqual([]);
    expect(list(buildPlanOf(part("one"), part("two"), part("three", { files_touched: ["test/x.test.ts"] })))).toEqual(
      [],
    );
    expect(
      list(
        buildPlanOf(part("one"), part("two"), part("three", { files_touched: ["docs/guide.md", "README", "a.yaml"] })),
      ),
    ).toEqual([]);
  });

  it("is a chunk with two deps, or with one and a word for it", () => {
    const brief = "Uses src/one/index.ts and src/two/index.ts as they are exported there.";
    expect(list(buildPlanOf(part("one"), part("two"), part("three", { deps: ["one", "two"], brief })))).toEqual([]);
    expect(
      list(buildPlanOf(part("one"), part("two"), part("three", { deps: ["one"], brief, title: "Wire the parts" }))),
    ).toEqual([]);
    expect(
      list(
        buildPlanOf(
          part("one"),
          part("two"),
          part("three", { deps: ["one"], brief: `Mount one into the application. ${brief}` }),
        ),
      ),
    ).toEqual([]);
    expect(list(buildPlanOf(part("one"), part("two"), part("three", { deps: ["one"], brief })))).toEqual([
      "no-wiring /chunks",
    ]);
    expect(list(buildPlanOf(part("one"), part("two"), part("three", { title: "Wire the parts" })))).toEqual([
      "no-wiring /chunks",
    ]);
  });
});

describe("a scope", () => {
  const files = (count: number): string[] => Array.from({ length: count }, (_, index) => `src/f${index}.ts`);

  it("is large from six files on", () => {
    expect(lint(withChunk({ files_touched: files(5) }))).toEqual([]);
    expect(lint(withChunk({ files_touched: files(6) }))).toMatchSnapshot();
  });

  it("has a test file where tests are required", () => {
    expect(lint(withChunk({ requires_tests: true, files_touched: ["src/a.ts"] }))).toMatchSnapshot();
    expect(lint(withChunk({ requires_tests: true, files_touched: ["src/a.ts", "src/a.test.ts"] }))).toEqual([]);
    expect(lint(withChunk({ requires_tests: false, files_touched: ["src/a.ts"] }))).toEqual([]);
    const isTestFile = (path: string): boolean => path.startsWith("checks/");
    expect(list(withChunk({ requires_tests: true, files_touched: ["src/a.test.ts"] }), { isTestFile })).toEqual([
      "no-test-file /chunks/0/requires_tests",
    ]);
    expect(list(withChunk({ requires_tests: true, files_touched: ["checks/a"] }), { isTestFile })).toEqual([]);
  });

  it("shows protected and forbidden files", () => {
    const findProtection = (path: string) =>
      path === "package.json" ? "declared" : path.startsWith(".github/") ? "never" : null;
    expect(
      lint(withChunk({ files_touched: ["package.json", ".github/workflows/ci.yml", "src/a.ts"] }), { findProtection }),
    ).toMatchSnapshot();
    expect(lint(withChunk({ files_touched: ["package.json"] }))).toEqual([]);
  });

  it("shows paths and ids that some disks refuse", () => {
    expect(lint(buildPlanOf(buildChunk("nul", { files_touched: ["src/ a.ts", "src/b./c"] })))).toMatchSnapshot();
    for (const id of ["CON", "aux.x", "com1", "lpt9", "prn"])
      expect(list(buildPlanOf(buildChunk(id, { files_touched: ["a"] })))).toEqual(["device-name /chunks/0/id"]);
    for (const id of ["console", "nulls", "com", "lpt10", "x.con"])
      expect(list(buildPlanOf(buildChunk(id, { files_touched: ["a"] })))).toEqual([]);
  });
});

describe("branches", () => {
  const onBranches = (source_branch: string, integration_branch: string): Plan =>
    buildValidPlan({ feature: { slug: "x", source_branch, integration_branch } });

  it("cannot be inside each other", () => {
    expect(lint(onBranches("main", "main/feature"))).toMatchSnapshot();
    expect(list(onBranches("main/feature", "main"))).toEqual(["nested-branch /feature/integration_branch"]);
    expect(list(onBranches("main", "mainline"))).toEqual([]);
    expect(list(onBranches("mainline", "main"))).toEqual([]);
  });
});

describe("criteria", () => {
  it("are shown when they cannot fail, cannot be decided, or stand twice", () => {
    const plan = buildValidPlan({
      acceptance: [
        { kind: "check", desc: "works", run: "npm test || true" },
        { kind: "assertion", desc: "It works as expected." },
        { kind: "check", desc: "fails", run: "true", expect_exit: 1 },
        { kind: "assertion", desc: "It works as expected." },
      ],
      chunks: [
        buildChunk("store", {
          checks: [
            { desc: "one", run: "echo done" },
            { desc: "two", run: "npm test" },
            { run: "npm test", desc: "two" },
            { desc: "two", run: "npm test", cwd: "x" },
          ],
          assertions: ["the store keeps its order", "good code quality", "the store keeps its order"],
        }),
      ],
    });
    expect(lint(plan)).toMatchSnapshot();
  });

  it.each([
    "works",
    "It works.",
    "works as expected",
    "Everything works correctly",
    "the feature should work properly",
    "The code is clean",
    "The implementation is correct",
    "all tests pass",
    "tests pass",
    "no bugs",
    "without known issues",
    "High code quality",
    "clean code",
    "well-written code",
    "follows best practices",
    "Uses the best practices",
    "handles errors",
    "handles all edge cases properly",
    "user-friendly",
    "TODO",
    "the code looks really good",
    "it runs without any problems",
    "the UI looks nice",
    "done!",
  ])("%j is vague", (desc) => {
    expect(list(withChunk({ assertions: [desc] }))).toEqual(["vague-criterion /chunks/0/assertions/0"]);
  });

  it.each([
    "the list works without a reload when a todo is added",
    "GET /todos answers 200 with an empty array",
    "no secrets are logged",
    "errors are typed",
    "handles all errors of the parser by returning 400",
    "the code is split into three modules",
    "an expired token is refused",
    "works offline after the first visit",
    "新しい項目が一覧に表示される",
  ])("%j is not", (desc) => {
    expect(list(withChunk({ assertions: [desc] }))).toEqual([]);
  });
});

describe("a brief", () => {
  it.each([
    ["Implement it.", "has 2 words"],
    ["Implement.", "has 1 word"],
    ["one two three four five six seven -", "has 7 words"],
    ["Build store", "only repeats the title"],
    ["BUILD  Store.", "only repeats the title"],
    [
      "Write the parser for all of the fields; TODO: decide on the format.",
      "leaves something open or points elsewhere",
    ],
    ["Write the parser as discussed, with all of the fields in it.", "leaves something open or points elsewhere"],
    ["See the issue for what to do and how to do it in detail.", "leaves something open or points elsewhere"],
    ["Write the parser, the format is to be decided by whoever does it.", "leaves something open or points elsewhere"],
    ["Write the parser for ??? and add all of its fields to it.", "leaves something open or points elsewhere"],
  ])("%j says too little", (brief, weakness) => {
    const found = lint(withChunk({ brief }));
    expect(found.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual(["generic-brief /chunks/0/brief"]);
    expect(found[0]!.message).toBe(`the brief of "store" ${weakness}; an implementer sees nothing else of the plan`);
    expect(found[0]!.allowed).toBe("what to build, where, and how it behaves");
  });

  it("of eight words, or of as much Japanese, is fine", () => {
    expect(lint(withChunk({ brief: "one two three four five six seven eight" }))).toEqual([]);
    expect(lint(withChunk({ brief: "保存された項目を一覧に表示する関数を書く。" }))).toEqual([]);
    expect(lint(withChunk({ brief: "Todos: write a function that adds a todo to the store." }))).toEqual([]);
  });
});

describe("an execution plan", () => {
  it("should tell every agent its own part", () => {
    const plan = compileExecutionPlan(buildValidPlan(), buildContext());
    expect(lintExecutionPlan(plan)).toEqual([]);
    const [first, second, ...rest] = plan.agents;
    const agents = [
      { ...first!, context: "  do   it now please " },
      { ...second!, context: "Judge the whole thing." },
      { ...rest[0]!, context: "judge the  whole thing." },
    ];
    expect(lintExecutionPlan({ ...plan, agents })).toMatchSnapshot();
    const exact = { ...first!, context: "x".repeat(20) };
    expect(lintExecutionPlan({ ...plan, agents: [exact] })).toEqual([]);
    expect(lintExecutionPlan({ ...plan, agents: [{ ...exact, context: "x".repeat(19) }] })).toHaveLength(1);
  });
});

describe("promotion", () => {
  const warning = (rule: string) => ({ pointer: "", rule, message: "m" });

  it("makes errors of the listed rules, or of all", () => {
    const found = [warning("many-files"), warning("generic-brief")];
    expect(promoteWarnings(found, [])).toEqual({ errors: [], warnings: found });
    expect(promoteWarnings(found, ["generic-brief"])).toEqual({ errors: [found[1]], warnings: [found[0]] });
    expect(promoteWarnings(found, ["all"])).toEqual({ errors: found, warnings: [] });
  });

  it("finds an error behind a hundred warnings, and counts what it does not show", () => {
    const found = [...Array.from({ length: 150 }, () => warning("many-files")), warning("generic-brief")];
    const { errors, warnings } = promoteWarnings(found, ["generic-brief"]);
    expect(errors).toEqual([warning("generic-brief")]);
    expect(warnings).toHaveLength(101);
    expect(warnings[100]!.message).toBe("50 more problems not shown");
    expect(promoteWarnings(found.slice(0, 100), []).warnings).toHaveLength(100);
  });

  it("knows its rules by name", () => {
    expect(Object.keys(lintRules).every(isLintRule)).toBe(true);
    expect(["toString", "all", ""].some(isLintRule)).toBe(false);
    for (const text of Object.values(lintRules)) expect(text.length).toBeGreaterThan(15);
  });
});
