import { describe, expect, it } from "@jest/globals";
import { listAcceptanceCriteria, listCriteria } from "../../src/contracts/criteria.ts";
import { isTestFile } from "../../src/contracts/test-files.ts";

describe("by convention", () => {
  it.each([
    "test/a.js",
    "src/a.test.ts",
    "src/deep/a.spec.tsx",
    "src/__tests__/a.jsx",
    "packages/x/tests/b.mts",
    "test.mjs",
    "a-test.js",
    "a_test.go",
    "pkg/a_test.py",
    "pkg/test_a.py",
    "tests/conftest.py",
    "tests/integration.rs",
    "src/test/java/org/example/AppTest.java",
    "app/src/androidTest/kotlin/A.kt",
    "Some.Tests/ThingTests.cs",
    "spec/models/user_spec.rb",
    "tests/Unit/UserTest.php",
    "Tests/AppTests/AppTests.swift",
    "test/app_test.exs",
    "test/run.bats",
    ".config/test/a.js",
  ])("%s is a test file", (path) => {
    expect(isTestFile(path)).toBe(true);
  });

  it.each([
    "src/a.js",
    "src/testing.ts",
    "src/latest.js",
    "contest/a.js",
    "test/README.md",
    "test/data.json",
    "attest.go",
    "src/Testimony.java",
    "docs/test.md",
  ])("%s is none", (path) => {
    expect(isTestFile(path)).toBe(false);
  });
});

describe("as configured", () => {
  it("only the given globs count", () => {
    expect(isTestFile("checks/a.js", ["checks/**/*.js"])).toBe(true);
    expect(isTestFile("test/a.js", ["checks/**/*.js"])).toBe(false);
  });

  it("a literal path with brackets is that path", () => {
    expect(isTestFile("app/[id]/page.test.ts", ["app/[id]/page.test.ts"])).toBe(true);
  });
});

describe("criteria", () => {
  it("are a chunk's checks, then its assertions", () => {
    const checks = [
      { desc: "a", run: "true" },
      { desc: "b", run: "true" },
    ];
    expect(listCriteria({ checks, assertions: ["c"] })).toEqual(["a", "b", "c"]);
    expect(listCriteria({ checks })).toEqual(["a", "b"]);
  });

  it("of the feature are its checks first, whatever the plan's order", () => {
    expect(
      listAcceptanceCriteria([
        { kind: "assertion", desc: "z" },
        { kind: "check", desc: "a", run: "true" },
      ]),
    ).toEqual(["a", "z"]);
  });
});
