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
