import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { checkPaths } from "../../src/plan/check-paths.ts";
import { buildChunk } from "./build-valid-plan.ts";

const TREE = ["README.md", "src/api/users.ts", "src/index.ts", "test/index.test.ts"];

function draft(files: readonly string[], more: Partial<Parameters<typeof checkPaths>[0]> = {}) {
  return { chunks: [buildChunk("a", { files_touched: [...files] })], acceptance: [], ...more };
}

function listRules(...args: Parameters<typeof draft>): readonly string[] {
  return checkPaths(draft(...args), TREE).map((problem) => problem.rule);
}

describe("a plan's paths", () => {
  it.each([
    ["a file that exists", ["src/index.ts"]],
    ["a new file in a folder that exists", ["src/api/orders.ts"]],
    ["a new file in the root", ["LICENSE"]],
  ])("may name %s", (_name, files) => {
    expect(listRules(files)).toEqual([]);
  });

  it.each([
    ["in a folder nobody knows", "lib/users.ts"],
    ["deep in folders nobody knows", "packages/core/src/index.ts"],
    ["below a file", "src/index.ts/users.ts"],
    ["in a folder that differs in case", "SRC/users.ts"],
  ])("may not name a file %s", (_name, path) => {
    expect(listRules([path])).toEqual(["path-unknown"]);
  });

  it("may lie in a new folder that the draft names", () => {
    expect(listRules(["web/css/site.css", "web/index.html"], { new_folders: ["web/css/"] })).toEqual([]);
    expect(listRules(["web/css/site.css"], { new_folders: ["web"] })).toEqual(["path-unknown"]);
    expect(listRules(["src/index.ts"], { new_folders: ["web"] })).toEqual(["folder-unused"]);
  });

  it("are told all at once, each with its place and the file that may be meant", () => {
    const problems = checkPaths(draft(["lib/users.ts", "src/index.ts", "srcs/index.ts"]), TREE);
    expect(problems.map(({ pointer, message }) => [pointer, message])).toEqual([
      ["/chunks/0/files_touched/0", expect.stringContaining('did you mean "src/api/users.ts"?')],
      ["/chunks/0/files_touched/2", expect.stringContaining('did you mean "src/index.ts"?')],
    ]);
  });

  it("are told with what was found and what would be right", () => {
    const check = { desc: "d", run: "npm test", cwd: "web" };
    const chunks = [buildChunk("a", { files_touched: ["lib/x.ts"], checks: [check] })];
    expect(checkPaths({ chunks, acceptance: [], new_folders: ["ui"] }, ["README.md"])).toEqual([
      {
        pointer: "/new_folders/0",
        rule: "folder-unused",
        message: 'no chunk has a file in the new folder "ui"',
        found: '"ui"',
        allowed: "a folder of a file in files_touched",
      },
      {
        pointer: "/chunks/0/files_touched/0",
        rule: "path-unknown",
        message: 'neither "lib/x.ts" nor its folder exists',
        found: '"lib/x.ts"',
        allowed: 'a file of the repository, a new file in a folder that exists, or "lib" named in new_folders',
      },
      {
        pointer: "/chunks/0/checks/0/cwd",
        rule: "cwd-unknown",
        message: 'the folder "web" neither exists nor does the plan create it',
        found: '"web"',
        allowed: "a folder of the repository, or of a file the plan creates",
      },
    ]);
  });

  it("are suggested by the name of a file elsewhere, the first in order, before one that is written alike", () => {
    const suggest = (path: string, tree: readonly string[]) =>
      checkPaths(draft([path]), tree)[0]!.message.split("; did you mean ")[1];
    expect(suggest("lib/users.ts", ["b/users.ts", "a/users.ts", "li/users.ts"])).toBe('"a/users.ts"?');
    expect(suggest("lib/users.ts", ["users.ts", "xusers.ts"])).toBe('"users.ts"?');
    expect(suggest("lib/users.ts", ["xusers.ts", "lib.users.ts"])).toBe('"lib.users.ts"?');
  });

  it("may be in a folder above a new one, and run commands where a file of the plan will be", () => {
    expect(listRules(["web/css/a.css", "web/b.html"], { new_folders: ["web/css"] })).toEqual([]);
    expect(listRules(["web/a.css"], { new_folders: ["web///"] })).toEqual([]);
    const at = (cwd: string) => {
      const check = { desc: "d", run: "r", cwd };
      return checkPaths(
        { chunks: [buildChunk("a", { files_touched: ["src/api/x.ts"], checks: [check] })], acceptance: [] },
        TREE,
      );
    };
    expect([at("src"), at("src/api"), at(""), at("src/index.ts")].map((problems) => problems.length)).toEqual([
      0, 0, 0, 1,
    ]);
    const assertion = { kind: "assertion" as const, desc: "it works" };
    expect(listRules(["src/a.ts"], { acceptance: [assertion] })).toEqual([]);
  });

  it("include the folders commands run in", () => {
    const check = { desc: "d", run: "npm test", cwd: "web" };
    const chunks = [buildChunk("a", { files_touched: ["src/a.ts"], checks: [check] })];
    const acceptance = [{ kind: "check" as const, ...check, cwd: "tests" }];
    expect(checkPaths({ chunks, acceptance }, TREE).map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      "cwd-unknown /chunks/0/checks/0/cwd",
      "cwd-unknown /acceptance/0/cwd",
    ]);
    const built = [buildChunk("a", { files_touched: ["web/a.ts"], checks: [check] })];
    expect(checkPaths({ chunks: built, acceptance: [], new_folders: ["web"] }, TREE)).toEqual([]);
  });

  it("are right for every plan about files of the tree, and wrong for any folder that is in no path", () => {
    const name = fc.stringMatching(/^[a-z]{1,6}$/u);
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.tuple(name, name).map((parts) => parts.join("/")),
          { minLength: 1 },
        ),
        (tree) => {
          expect(checkPaths(draft(tree), tree)).toEqual([]);
          expect(checkPaths(draft(tree.map((path) => `0/${path}`)), tree)).toHaveLength(tree.length);
        },
      ),
    );
  });
});
