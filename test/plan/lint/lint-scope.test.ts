import { describe, expect, it } from "@jest/globals";
import type { Plan } from "../../../src/contracts/plan.ts";
import { buildChunk, buildPlanOf, buildValidPlan } from "../build-valid-plan.ts";
import { lint, list, withChunk } from "./list-warnings.ts";

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
