import { describe, expect, it } from "@jest/globals";
import { computeFloor } from "../../../src/floor/compute-floor.ts";
import type { Change, FloorInput, FloorScope } from "../../../src/floor/floor-input.ts";
import { floorInput, modify } from "../support/build-captures.ts";
import { listRules, outcomeOf } from "../support/violations.ts";

function judge(
  changes: readonly Change[],
  allowed: readonly string[],
  more: Partial<FloorInput> = {},
): readonly string[] {
  const scope: FloorScope = { allowed, protectedAllowed: [], requiresTests: false };
  return listRules(computeFloor(floorInput({ changes, scope, ...more }))).filter((rule) => rule.startsWith("6 "));
}

describe("gate 6, the declared files", () => {
  it("passes inside and fails outside of them", () => {
    expect(judge([modify("src/a.js")], ["src/a.js", "src/b.js"])).toEqual([]);
    expect(judge([modify("src/a.js"), modify("src/c.js", { kind: "add" })], ["src/a.js"])).toEqual([
      "6 out-of-scope src/c.js",
    ]);
    expect(judge([modify("src/c.js", { kind: "delete" })], ["src/a.js"])).toEqual(["6 out-of-scope src/c.js"]);
  });

  it("knows no globs and no folders: names are exact", () => {
    expect(judge([modify("app/[id]/page.tsx")], ["app/[id]/page.tsx"])).toEqual([]);
    expect(judge([modify("app/i/page.tsx")], ["app/[id]/page.tsx"])).toEqual(["6 out-of-scope app/i/page.tsx"]);
    expect(judge([modify("src/x/a.js")], ["src/x"])).toEqual(["6 out-of-scope src/x/a.js"]);
    expect(judge([modify("SRC/a.js")], ["src/a.js"])).toEqual(["6 out-of-scope SRC/a.js"]);
  });

  it("counts both names of a rename", () => {
    const rename = modify("src/b.js", { previousPath: "src/a.js" });
    expect(judge([rename], ["src/b.js"])).toEqual(["6 out-of-scope src/a.js"]);
    expect(judge([rename], ["src/a.js", "src/b.js"])).toEqual([]);
  });

  it("judges every file of a large change", () => {
    const many = Array.from({ length: 1200 }, (_, index) => modify(`src/${index}.js`));
    expect(
      judge(
        many,
        many.map(({ path }) => path),
      ),
    ).toEqual([]);
  });

  it("still guards what needs no plan when nothing is declared", () => {
    const result = computeFloor(
      floorInput({ scope: null, changes: [modify("src/a.js"), modify(".github/workflows/ci.yml")] }),
    );
    expect(listRules(result)).toEqual(["6 protected-file .github/workflows/ci.yml"]);
    expect(outcomeOf(result, 6)).toBe("fail");
  });
});

describe("gate 6, protected files", () => {
  const packageJson = (scripts: string, dependency: string): string =>
    JSON.stringify({ scripts: { test: scripts }, dependencies: { x: dependency } });

  it("fails on a protected file even inside of the scope, unless the plan declares it", () => {
    const changes = [modify("jest.config.js")];
    expect(judge(changes, ["jest.config.js"])).toEqual(["6 protected-file jest.config.js"]);
    const scope = { allowed: ["jest.config.js"], protectedAllowed: ["jest.config.js"], requiresTests: false };
    expect(computeFloor(floorInput({ changes, scope })).outcome).toBe("pass");
  });

  it("never lets a workflow, our configuration or our folder through", () => {
    for (const path of [
      ".github/workflows/ci.yml",
      ".github/taskfleet.yml",
      ".taskfleet/1-x/plan.json",
      ".gitmodules",
    ]) {
      const scope = { allowed: [path], protectedAllowed: [path], requiresTests: false };
      const result = computeFloor(floorInput({ changes: [modify(path, { kind: "add" })], scope }));
      expect(listRules(result)).toEqual([`6 protected-file ${path}`]);
    }
  });

  it("sees a protected file that is renamed away", () => {
    const rename = modify("src/old-config.js", { previousPath: "eslint.config.js" });
    expect(judge([rename], ["src/old-config.js", "eslint.config.js"])).toEqual(["6 protected-file eslint.config.js"]);
  });

  it("takes a dependency in package.json, and no other script", () => {
    const before = packageJson("node --test", "1");
    const scope = ["package.json"];
    expect(
      judge([modify("package.json", { previousText: before, text: packageJson("node --test", "2") })], scope),
    ).toEqual([]);
    expect(judge([modify("package.json", { previousText: before, text: packageJson("true", "1") })], scope)).toEqual([
      "6 protected-file package.json",
    ]);
    expect(judge([modify("package.json", { text: before })], scope)).toEqual(["6 protected-file package.json"]);
    expect(judge([modify("package.json", { previousText: before, text: "{" })], scope)).toEqual([
      "6 protected-file package.json",
    ]);
  });

  it.each(["package-lock.json", "go.mod", "requirements-dev.txt", "Cargo.lock"])(
    "lets %s change only where a person has approved that: it may bring another test runner",
    (path) => {
      const changes = [modify(path)];
      expect(judge(changes, [path])).toEqual([`6 protected-file ${path}`]);
      const scope = { allowed: [path], protectedAllowed: [path], requiresTests: false };
      expect(computeFloor(floorInput({ changes, scope })).outcome).toBe("pass");
      // Without a plan there is nobody to declare it, and a dependency is work like any other.
      expect(computeFloor(floorInput({ changes, scope: null })).outcome).toBe("pass");
    },
  );

  it.each(["overrides", "resolutions", "pnpm", "catalog", "patchedDependencies", "trustedDependencies", "config"])(
    "lets no %s of package.json change, which puts one dependency in the place of another or feeds the scripts",
    (key) => {
      const text = JSON.stringify({ scripts: {}, [key]: { vitest: "./fake" } });
      const change = modify("package.json", { previousText: JSON.stringify({ scripts: {} }), text });
      expect(judge([change], ["package.json"])).toEqual(["6 protected-file package.json"]);
    },
  );

  it("obeys further patterns, literally first", () => {
    const protectedPatterns = ["db/**", "app/[id]/auth.ts"];
    expect(judge([modify("db/schema.sql")], ["db/schema.sql"], { protectedPatterns })).toEqual([
      "6 protected-file db/schema.sql",
    ]);
    expect(judge([modify("app/[id]/auth.ts")], ["app/[id]/auth.ts"], { protectedPatterns })).toEqual([
      "6 protected-file app/[id]/auth.ts",
    ]);
  });
});

describe("gate 6, what may not be in a tree", () => {
  const link = (target: string, path = "src/link"): Change =>
    modify(path, { kind: "add", mode: "120000", symlinkTarget: target });
  it.each([
    ["an absolute target", link("/etc/passwd"), "6 symlink-escape src/link"],
    ["a target above the root", link("../../secret"), "6 symlink-escape src/link"],
    ["a target in .git", link("../.git/config"), "6 symlink-escape src/link"],
    ["a drive letter", link("C:\\Windows"), "6 symlink-escape src/link"],
    ["git's folder as other disks read it", link("../GIT~1/config"), "6 symlink-escape src/link"],
    ["a way up behind a name, which may be a link of the base", link("a/b/c/l1/../../x"), "6 symlink-escape src/link"],
    ["a way up behind a name after leading ones", link("../lib/../x"), "6 symlink-escape src/link"],
    ["a way up behind a name, spelt for Windows", link("lib\\..\\x"), "6 symlink-escape src/link"],
    ["a way up at the end", link("lib/.."), "6 symlink-escape src/link"],
    ["an unknown target", modify("src/link", { mode: "120000" }), "6 symlink-unknown src/link"],
    ["a submodule", modify("src/link", { mode: "160000" }), "6 submodule src/link"],
  ])("refuses %s", (_, change, rule) => {
    expect(judge([change], ["src/link"])).toEqual([rule]);
  });

  it("follows a link through another link of the same change", () => {
    const changes = [link("../.git", "src/up"), link("up/hooks")];
    expect(judge(changes, ["src/up", "src/link"])).toEqual(["6 symlink-escape src/link", "6 symlink-escape src/up"]);
    expect(judge([link("..", "src/up"), link("up/lib/a.js")], ["src/up", "src/link"])).toEqual([]);
  });

  it("takes a link within the tree, and the removal of any link", () => {
    expect(judge([link("../lib/a.js")], ["src/link"])).toEqual([]);
    expect(judge([link("./../lib/a.js")], ["src/link"])).toEqual([]);
    expect(judge([link("../../lib/./a.js", "a/b/link")], ["a/b/link"])).toEqual([]);
    expect(judge([modify("src/link", { kind: "delete", mode: "120000" })], ["src/link"])).toEqual([]);
  });

  it("refuses names that collide on a disk that ignores case", () => {
    const treePaths = ["src/Api.js", "src/api.js", "Docs/x.md"];
    expect(judge([modify("src/api.js", { kind: "add" })], ["src/api.js"], { treePaths })).toEqual([
      "6 case-collision src/api.js",
    ]);
    const folder = { treePaths: ["Docs/x.md", "docs/y.md"] };
    expect(judge([modify("docs/y.md", { kind: "add" })], ["docs/y.md"], folder)).toEqual(["6 case-collision docs"]);
    expect(judge([modify("README.md")], ["README.md"], { treePaths: [...treePaths, "README.md"] })).toEqual([]);
  });
});
