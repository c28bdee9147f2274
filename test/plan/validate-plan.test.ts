import { describe, expect, it } from "@jest/globals";
import type { Problem } from "../../src/contracts/problem.ts";
import { validatePlan } from "../../src/plan/validate-plan.ts";
import { buildChunk, buildPlanOf, buildValidPlan, copyLoosely } from "./build-valid-plan.ts";

// oxlint-disable-next-line typescript/no-explicit-any
type Break = (plan: any) => void;

function validateBroken(change: Break, base = buildValidPlan()): readonly Problem[] {
  const plan = copyLoosely(base);
  change(plan);
  return validatePlan(plan);
}

/** The one problem, without its pointer's rule name being repeated in every row. */
function explainOne(change: Break): Problem {
  const problems = validateBroken(change);
  expect(problems).toHaveLength(1);
  return problems[0]!;
}

describe("a valid plan", () => {
  it("has no problems", () => {
    expect(validatePlan(buildValidPlan())).toEqual([]);
  });

  it.each<[string, Break]>([
    ["may leave out what has a default", (plan) => delete plan.chunks[1].deps],
    ["may have revision 0", (plan) => (plan.plan_rev = 0)],
    ["may have the largest safe revision", (plan) => (plan.plan_rev = Number.MAX_SAFE_INTEGER)],
    ["may expect any exit status up to 255", (plan) => (plan.chunks[0].checks[0].expect_exit = 255)],
    ["may expect exit status 0", (plan) => (plan.acceptance[0].expect_exit = 0)],
    ["may run a check in a folder", (plan) => (plan.acceptance[0].cwd = "packages/web")],
    ["may refer forward in deps", (plan) => plan.chunks.reverse()],
    ["may have no assertions", (plan) => (plan.chunks[0].assertions = [])],
    ["may require tests", (plan) => (plan.chunks[0].requires_tests = true)],
    ["may touch one file in two chunks", (plan) => plan.chunks[1].files_touched.push("src/store/index.ts")],
    [
      "may touch a file in one chunk that is a folder in another",
      (plan) => plan.chunks[1].files_touched.push("src/store"),
    ],
    ["may have brackets in a path", (plan) => plan.chunks[0].files_touched.push("app/[id]/page.tsx")],
    ["may have ids of 100 characters", (plan) => (plan.chunks[1].id = "x".repeat(100))],
    ["may have dots inside ids", (plan) => (plan.chunks[1].id = "v1.2_b-c")],
    ["may have accents in texts", (plan) => (plan.chunks[1].title = "Überprüfe „alles“")],
    ["may hold one character of text", (plan) => (plan.feature.slug = "x")],
  ])("%s", (_name, change) => {
    expect(validateBroken(change)).toEqual([]);
  });
});

describe("the version gate", () => {
  it.each<[string, Break]>([
    ["missing", (plan) => delete plan.schema_version],
    ["a string", (plan) => (plan.schema_version = "3")],
    ["no whole number", (plan) => (plan.schema_version = 3.5)],
    ["null", (plan) => (plan.schema_version = null)],
    ["1", (plan) => (plan.schema_version = 1)],
    ["2", (plan) => (plan.schema_version = 2)],
    ["4", (plan) => (plan.schema_version = 4)],
    ["0", (plan) => (plan.schema_version = 0)],
  ])("refuses a version that is %s, and says nothing else", (_name, change) => {
    const problems = validateBroken((plan) => {
      plan.chunks = "nonsense";
      change(plan);
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchSnapshot();
  });

  it("is not fooled by an inherited version", () => {
    const plan = Object.assign(Object.create({ schema_version: 3 }) as object, {
      ...buildValidPlan(),
      schema_version: undefined,
    });
    delete (plan as Record<string, unknown>)["schema_version"];
    expect(validatePlan(plan).map(({ rule }) => rule)).toEqual(["version-missing"]);
  });
});

describe("the shape", () => {
  it.each<[string, Break]>([
    ["a missing key of the document", (plan) => delete plan.baseline],
    ["a missing key inside", (plan) => delete plan.chunks[1].checks[0].run],
    ["an unknown key of the document", (plan) => (plan.status = "running")],
    ["an unknown key near a known one", (plan) => (plan.chunks[0].asertions = [])],
    ["an unknown key near one that is used", (plan) => (plan.chunks[0].titel = "x")],
    ["an unknown key of a check", (plan) => (plan.chunks[0].checks[0].kind = "check")],
    ["a list that is an object", (plan) => (plan.chunks[1].deps = {})],
    ["an object that is a list", (plan) => (plan.feature = [])],
    ["a text that is a number", (plan) => (plan.chunks[0].title = 7)],
    ["a text that is null", (plan) => (plan.chunks[0].brief = null)],
    ["a number that is a text", (plan) => (plan.plan_rev = "1")],
    ["a number with a fraction", (plan) => (plan.intent_rev = 1.5)],
    ["a boolean that is a text", (plan) => (plan.chunks[0].requires_tests = "yes")],
    ["a chunk that is a text", (plan) => (plan.chunks[1] = "api")],
    ["a negative revision", (plan) => (plan.plan_rev = -1)],
    ["a revision beyond exact numbers", (plan) => (plan.plan_rev = 2 ** 53)],
    ["an exit status above 255", (plan) => (plan.chunks[0].checks[0].expect_exit = 256)],
    ["an exit status below 0", (plan) => (plan.acceptance[0].expect_exit = -1)],
    ["a tier of another name", (plan) => (plan.chunks[0].tier = "medium")],
    ["a tier with a slip", (plan) => (plan.chunks[0].tier = "hihg")],
    ["an id with a blank", (plan) => (plan.chunks[1].id = "the api")],
    ["an id that begins with a dot", (plan) => (plan.chunks[1].id = ".api")],
    ["an id with a line break at its end", (plan) => (plan.chunks[1].id = "api\n")],
    ["an empty id", (plan) => (plan.chunks[1].id = "")],
    ["no files", (plan) => (plan.chunks[0].files_touched = [])],
    ["no checks", (plan) => (plan.chunks[0].checks = [])],
    ["no chunks", (plan) => (plan.chunks = [])],
    ["no acceptance", (plan) => (plan.acceptance = [])],
    ["a dep twice", (plan) => (plan.chunks[1].deps = ["store", "store"])],
    ["an empty text", (plan) => (plan.chunks[0].brief = "")],
    ["a blank text", (plan) => (plan.feature.slug = " \t\n")],
    ["a text of invisible characters", (plan) => (plan.chunks[0].title = "\u200b\u2060\u00ad\u0007")],
    ["a blank assertion", (plan) => (plan.chunks[0].assertions = ["\u3000"])],
    ["a blank description of a check", (plan) => (plan.chunks[0].checks[0].desc = "\u00a0")],
    ["a blank file", (plan) => (plan.chunks[0].files_touched = [" "])],
    ["a blank folder", (plan) => (plan.chunks[0].checks[0].cwd = "")],
    ["acceptance of no kind", (plan) => delete plan.acceptance[1].kind],
    ["acceptance of an unknown kind", (plan) => (plan.acceptance[1].kind = "assert")],
    ["acceptance of a kind that is no text", (plan) => (plan.acceptance[1].kind = 1)],
    ["acceptance that is a text", (plan) => (plan.acceptance[1] = "it works")],
    ["an assertion with a command", (plan) => (plan.acceptance[1].run = "npm test")],
    ["a check without a command", (plan) => delete plan.acceptance[0].run],
    ["a very long text in place of an enum", (plan) => (plan.chunks[0].tier = "y".repeat(200))],
  ])("refuses %s", (_name, change) => {
    expect(explainOne(change)).toMatchSnapshot();
  });

  it("names every missing key of an empty object", () => {
    expect(validateBroken((plan) => (plan.feature = {})).map(({ found, allowed }) => [found, allowed])).toEqual([
      ["an object without keys", 'the key "slug"'],
      ["an object without keys", 'the key "source_branch"'],
      ["an object without keys", 'the key "integration_branch"'],
    ]);
  });

  it("takes a key that is undefined for absent", () => {
    expect(validateBroken((plan) => (plan.chunks[0].deps = undefined))).toEqual([]);
    expect(validateBroken((plan) => (plan.chunks[0].title = undefined)).map(({ rule }) => rule)).toEqual(["required"]);
  });
});

describe("the meaning", () => {
  it.each<[string, Break]>([
    ["an id twice", (plan) => (plan.chunks[1] = { ...plan.chunks[1], id: "store", deps: [] })],
    ["ids that differ in case only", (plan) => (plan.chunks[1].id = "STORE")],
    ["an id of 101 characters", (plan) => (plan.chunks[1].id = "x".repeat(101))],
    ["an id with two dots", (plan) => (plan.chunks[1].id = "a..b")],
    ["an id that ends with a dot", (plan) => (plan.chunks[1].id = "api.")],
    ["an id that ends with .lock", (plan) => (plan.chunks[1].id = "api.lock")],
    ["a dep nobody has", (plan) => (plan.chunks[1].deps = ["database"])],
    ["a dep with a slip", (plan) => (plan.chunks[1].deps = ["stoer"])],
    ["a dep in another case", (plan) => (plan.chunks[1].deps = ["Store"])],
    ["a chunk that waits for itself", (plan) => (plan.chunks[1].deps = ["api"])],
    ["two chunks that wait for each other", (plan) => (plan.chunks[0].deps = ["api"])],
    ["an absolute path", (plan) => (plan.chunks[0].files_touched[0] = "/etc/passwd")],
    ["a file twice", (plan) => plan.chunks[0].files_touched.push("src/store/index.ts")],
    ["a file twice in another case", (plan) => plan.chunks[0].files_touched.push("src/Store/index.ts")],
    ["a file that is a folder of another", (plan) => plan.chunks[0].files_touched.push("src/store")],
    ["a file that is a folder in another case", (plan) => plan.chunks[0].files_touched.push("SRC")],
    ["a file spelt differently by two chunks", (plan) => plan.chunks[1].files_touched.push("src/store/Index.ts")],
    ["a check's folder outside", (plan) => (plan.chunks[1].checks[0].cwd = "../x")],
    ["a check's folder that is a dot", (plan) => (plan.acceptance[0].cwd = ".")],
    ["assertions only", (plan) => plan.acceptance.shift()],
    ["a branch git would refuse", (plan) => (plan.feature.source_branch = "a..b")],
    ["an integration branch git would refuse", (plan) => (plan.feature.integration_branch = "x/.y")],
    ["one branch for both", (plan) => (plan.feature.integration_branch = "main")],
  ])("refuses %s", (_name, change) => {
    const problems = validateBroken(change);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems).toMatchSnapshot();
  });

  it("names an accented file twice when only its encoding differs", () => {
    const plan = buildPlanOf(buildChunk("a", { files_touched: ["caf\u00e9.ts", "cafe\u0301.ts"] }));
    expect(validatePlan(plan).map(({ rule }) => rule)).toEqual(["path-twice"]);
  });

  it("prints a cycle along the deps, once for each group", () => {
    const plan = buildPlanOf(
      buildChunk("a", { deps: ["b"] }),
      buildChunk("b", { deps: ["c", "d"] }),
      buildChunk("c", { deps: ["a"] }),
      buildChunk("d", { deps: ["a"] }),
      buildChunk("e", { deps: ["f", "a"] }),
      buildChunk("f", { deps: ["e"] }),
    );
    expect(validatePlan(plan).map(({ pointer, message }) => [pointer, message])).toEqual([
      ["/chunks/0/deps", "these wait for each other: a -> b -> c -> a"],
      ["/chunks/4/deps", "these wait for each other: e -> f -> e"],
    ]);
  });

  it("shortens a cycle of a hundred chunks", () => {
    const ids = Array.from({ length: 100 }, (_, index) => `c${index}`);
    const plan = buildPlanOf(...ids.map((id, index) => buildChunk(id, { deps: [ids[(index + 1) % 100]!] })));
    const [problem] = validatePlan(plan);
    expect(problem!.found).toBe([...ids.slice(0, 17), "… (81 more)", "c98", "c99", "c0"].join(" -> "));
  });

  it("prints a cycle of twenty in full", () => {
    const ids = Array.from({ length: 19 }, (_, index) => `c${index}`);
    const plan = buildPlanOf(...ids.map((id, index) => buildChunk(id, { deps: [ids[(index + 1) % 19]!] })));
    expect(validatePlan(plan)[0]!.found).toBe([...ids, "c0"].join(" -> "));
  });

  it("lists ten ids and counts the others when a dep is unknown", () => {
    const chunks = Array.from({ length: 12 }, (_, index) => buildChunk(`c${index}`));
    const plan = buildPlanOf(...chunks, buildChunk("last", { deps: ["nowhere"] }));
    expect(validatePlan(plan)[0]!.allowed).toBe("the id of a chunk: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 and 3 more");
  });
});

describe("a plan with several mistakes", () => {
  it("is told all of them, also the meaning of the parts whose shape is sound", () => {
    const problems = validateBroken((plan) => {
      delete plan.baseline.ref;
      plan.feature.source_branch = "a b";
      plan.acceptance[0].kind = "chek";
      plan.chunks[0].tier = 1;
      plan.chunks[0].deps = ["api", 5];
      plan.chunks[0].files_touched = ["../x", 7, "a", "a"];
      plan.chunks[1].deps = ["store", "ghost"];
      plan.chunks[1].checks = [{ desc: "x", run: "y", cwd: "/tmp" }, 3];
    });
    expect(problems.map(({ pointer, rule }) => `${rule} ${pointer}`)).toEqual([
      "required /baseline",
      "enum /acceptance/0/kind",
      "type /chunks/0/deps/1",
      "type /chunks/0/tier",
      "type /chunks/0/files_touched/1",
      "type /chunks/1/checks/1",
      "branch-name /feature/source_branch",
      "path-unsafe /chunks/1/checks/0/cwd",
      "dep-unknown /chunks/1/deps/1",
      "dep-cycle /chunks/0/deps",
      "path-unsafe /chunks/0/files_touched/0",
      "path-twice /chunks/0/files_touched/3",
    ]);
  });

  it("does not call an id unknown that only misses its pattern", () => {
    const problems = validateBroken((plan) => {
      plan.chunks[0].id = "the store";
      plan.chunks[1].deps = ["the store"];
    });
    expect(problems.map(({ rule }) => rule)).toEqual(["pattern"]);
  });

  it("keeps the known deps of a chunk whose other deps cannot be read, also in a cycle", () => {
    const problems = validateBroken((plan) => {
      plan.chunks[0].deps = [7, "api"];
      plan.chunks.push(null);
    });
    expect(problems.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      "type /chunks/0/deps/0",
      "type /chunks/2",
      "dep-cycle /chunks/0/deps",
    ]);
  });

  it("counts no id after the tenth where there is none", () => {
    const chunks = Array.from({ length: 9 }, (_, index) => buildChunk(`c${index}`));
    const plan = buildPlanOf(...chunks, buildChunk("last", { deps: ["nowhere"] }));
    expect(validatePlan(plan)[0]!.allowed).toBe("the id of a chunk: c0, c1, c2, c3, c4, c5, c6, c7, c8, last");
  });

  it("does not compare the spelling of a path that is refused", () => {
    const problems = validateBroken((plan) => (plan.chunks[0].files_touched = ["a:b", "a:b", "A:B"]));
    expect(problems.map(({ rule }) => rule)).toEqual(["path-unsafe", "path-unsafe", "path-unsafe"]);
  });

  it("judges the chunks beside one that is no object", () => {
    const problems = validateBroken((plan) => {
      plan.chunks.push(null, { id: 5 });
      plan.chunks[0].deps = ["nowhere"];
    });
    expect(problems.map(({ rule }) => rule)).toEqual([
      "type",
      "type",
      "required",
      "required",
      "required",
      "required",
      "required",
      "dep-unknown",
    ]);
  });

  it("does not demand a check while one item cannot be read", () => {
    const problems = validateBroken((plan) => (plan.acceptance = [{ kind: "assertion", desc: "x y z" }, 5]));
    expect(problems.map(({ rule }) => rule)).toEqual(["type"]);
  });

  it("shows a hundred and counts the rest", () => {
    const broken = (count: number) =>
      validateBroken((plan) => (plan.chunks[0].assertions = Array.from({ length: count }, () => 1)));
    expect(broken(100)).toHaveLength(100);
    expect(broken(101)).toHaveLength(101);
    expect(broken(101)[100]).toMatchObject({ rule: "more-problems", message: "1 more problem not shown" });
    expect(broken(250)[100]!.message).toBe("150 more problems not shown");
    expect(broken(250)).toHaveLength(101);
  });
});
