import { describe, expect, it } from "@jest/globals";
import { matchesAnyPattern, matchesPatterns } from "../../src/contracts/filter-patterns.ts";

// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
describe("filter patterns", () => {
  it.each<[pattern: string, yes: readonly string[], no: readonly string[]]>([
    ["feature/*", ["feature/my-branch"], ["feature/beta-a/my-branch", "feature"]],
    ["feature/**", ["feature/beta-a/my-branch", "feature/x"], ["features/x"]],
    ["releases/mona-the-octocat", ["releases/mona-the-octocat"], ["releases/mona"]],
    ["*", ["main", "releases"], ["all/the/branches"]],
    ["**", ["all/the/branches", "every/tag"], []],
    ["*feature", ["mona-feature", "feature", "ver-10-feature"], ["feature-x", "a/feature"]],
    ["v2*", ["v2", "v2.0", "v2.9"], ["v1", "v2/x"]],
    ["v[12].[0-9]+.[0-9]+", ["v1.10.1", "v2.0.0"], ["v3.1.1", "v1.10"]],
    ["*.jsx?", ["page.js", "page.jsx"], ["page.jsxx", "a/page.js"]],
    ["**.js", ["index.js", "js/index.js", "src/js/app.js"], ["index.jsx"]],
    ["docs/*", ["docs/README.md"], ["docs/sub/README.md"]],
    ["docs/**/*.md", ["docs/README.md", "docs/mona/hello-world.md"], ["docs/a/b.txt"]],
    ["**/docs/**", ["docs/hello.md", "dir/docs/my-file.txt", "space/docs/plan/space.doc"], ["doc/x"]],
    ["**/README.md", ["README.md", "js/README.md"], ["XREADME.md"]],
    ["**/*-post.md", ["my-post.md", "path/their-post.md"], ["post.md"]],
    ["a\\+b", ["a+b"], ["aab"]],
    ["dependabot/**", ["dependabot/npm/a.b"], ["dependabot"]],
    ["x(y)|z", ["x(y)|z"], ["z"]],
  ])("%s", (pattern, yes, no) => {
    expect(yes.filter((name) => !matchesPatterns([pattern], name))).toEqual([]);
    expect(no.filter((name) => matchesAnyPattern([pattern], name))).toEqual([]);
  });

  it("lets a later pattern take back or give again what an earlier one said", () => {
    const patterns = ["releases/**", "!releases/**-alpha", "releases/kept-alpha"];
    const names = ["releases/10", "releases/beta/3-alpha", "releases/kept-alpha", "main"];
    expect(names.filter((name) => matchesPatterns(patterns, name))).toEqual(["releases/10", "releases/kept-alpha"]);
  });

  it("includes nothing when there are only negative patterns", () => {
    expect(matchesPatterns(["!main"], "other")).toBe(false);
  });
});
