import { describe, expect, it } from "@jest/globals";
import type { ChangeEntry, ChangeSet } from "../../src/contracts/change-set.ts";
import { changeSetSchema } from "../../src/contracts/change-set.ts";
import { CHANGE_SET_LIMITS, checkChangeSet, type ChangeSetContext } from "../../src/floor/check-change-set.ts";

const base = "c".repeat(40);

const context: ChangeSetContext = {
  basePaths: ["README.md", "package.json", "src/a.js", "src/Link", "vendor/lib/x.js"],
  expectedBase: base,
  protectedPatterns: ["db/**"],
  protectedAllowed: [],
  baseTexts: new Map([["package.json", JSON.stringify({ scripts: { test: "node --test" } })]]),
};

function write(
  path: string,
  content = "export {};\n",
  change: Partial<Extract<ChangeEntry, { kind: "write" }>> = {},
): ChangeEntry {
  return { kind: "write", path, mode: "100644", encoding: "utf-8", content, ...change };
}

const link = (path: string, target: string): ChangeEntry => write(path, target, { mode: "120000" });
const remove = (path: string): ChangeEntry => ({ kind: "delete", path });

function judge(entries: readonly ChangeEntry[], more: Partial<ChangeSetContext> = {}): readonly string[] {
  const changeSet: ChangeSet = changeSetSchema.parse({ v: 1, base, entries });
  return checkChangeSet(changeSet, { ...context, ...more }).map(({ rule, path }) => `${rule} ${path}`.trim());
}

describe("a change set that may be committed", () => {
  it("writes, changes, removes and renames ordinary files, also outside of anybody's scope", () => {
    expect(
      judge([
        write("src/a.js"),
        write("src/neu/größe.js"),
        write("bin/run", "#!/bin/sh\n", { mode: "100755" }),
        remove("README.md"),
      ]),
    ).toEqual([]);
    expect(judge([remove("src/a.js"), write("src/b.js")])).toEqual([]);
    expect(judge([write("app/[id]/page.tsx"), write("logo.png", "iVBORw0KGgo=", { encoding: "base64" })])).toEqual([]);
  });

  it("may replace a file by a folder when the file goes", () => {
    expect(judge([remove("src/a.js"), write("src/a.js/index.js")])).toEqual([]);
  });

  it("may hold a link that stays in the tree", () => {
    expect(judge([link("docs/readme", "../README.md")])).toEqual([]);
  });

  it("may add a dependency", () => {
    const text = JSON.stringify({ scripts: { test: "node --test" }, dependencies: { x: "1" } });
    expect(judge([write("package.json", text)])).toEqual([]);
  });

  it("may hold dependency files nobody declared: people see them on the branch, and gate 6 fails", () => {
    const entries = ["package-lock.json", "go.sum", "requirements.txt"].map((path) => write(path));
    expect(judge(entries)).toEqual([]);
    expect(judge([write("pyproject.toml")])).toEqual(["protected-file pyproject.toml"]);
  });

  it("may touch a protected file that the plan declares", () => {
    expect(
      judge([write("db/schema.sql"), write("tsconfig.json")], { protectedAllowed: ["db/schema.sql", "tsconfig.json"] }),
    ).toEqual([]);
  });
});

describe("a change set is refused before any commit", () => {
  it.each<[string, ChangeEntry, string]>([
    ["traversal", write("../evil.js"), "unsafe-path ../evil.js"],
    ["traversal inside", write("src/../../evil.js"), "unsafe-path src/../../evil.js"],
    ["an absolute path", write("/etc/passwd"), "unsafe-path /etc/passwd"],
    ["a home folder", write("~/.ssh/authorized_keys"), "unsafe-path ~/.ssh/authorized_keys"],
    ["a backslash", write("src\\..\\evil.js"), "unsafe-path src\\..\\evil.js"],
    ["a drive", write("C:/evil.js"), "unsafe-path C:/evil.js"],
    ["an empty component", write("src//a.js"), "unsafe-path src//a.js"],
    ["an empty path", write(""), "unsafe-path"],
    ["git's folder", write(".git/hooks/pre-commit"), "git-folder .git/hooks/pre-commit"],
    ["git's folder in capitals", write("src/.GIT/config"), "git-folder src/.GIT/config"],
    ["git's folder by its short name", write("GIT~1/config"), "git-folder GIT~1/config"],
    ["deletion by traversal", remove("../../x"), "unsafe-path ../../x"],
    ["a workflow", write(".github/workflows/ci.yml"), "protected-file .github/workflows/ci.yml"],
    ["a workflow in other letters", write(".GitHub/Workflows/x.yml"), "protected-file .GitHub/Workflows/x.yml"],
    ["our plans", write(".taskfleet/1-x/plan.json"), "protected-file .taskfleet/1-x/plan.json"],
    ["our configuration", write(".github/taskfleet.yml"), "protected-file .github/taskfleet.yml"],
    ["an agent's orders", write("sub/CLAUDE.md"), "protected-file sub/CLAUDE.md"],
    ["an agent's hooks", write(".claude/settings.json"), "protected-file .claude/settings.json"],
    ["an agent's servers", write(".mcp.json"), "protected-file .mcp.json"],
    ["test configuration", write("packages/web/vitest.config.ts"), "protected-file packages/web/vitest.config.ts"],
    ["a configured path", write("db/schema.sql"), "protected-file db/schema.sql"],
    ["a removed protected file", remove("vendor/../package.json"), "unsafe-path vendor/../package.json"],
    ["a link out of the tree", link("src/l", "../../etc"), "symlink-escape src/l"],
    ["an absolute link", link("src/l", "/etc/passwd"), "symlink-escape src/l"],
    ["a link into .git", link("src/l", "../.git/hooks"), "symlink-escape src/l"],
    ["a link up through another", link("src/l", "a/b/Link/../../x"), "symlink-escape src/l"],
    ["a link without a target", link("src/l", ""), "bad-encoding src/l"],
    ["a submodule", write("lib", base, { mode: "160000" }), "submodule lib"],
    ["submodule definitions", write(".gitmodules", "x"), "protected-file .gitmodules"],
    [
      "a Git LFS pointer",
      write("big.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
      "lfs-pointer big.bin",
    ],
    ["a name that differs in case from one in the base", write("SRC/b.js"), "case-collision SRC"],
    ["a file where the base has a folder", write("vendor/lib"), "file-and-folder vendor/lib"],
    ["a folder where the base has a file or link", write("src/Link/x.js"), "file-and-folder src/Link"],
    ["a removal of what is not there", remove("src/none.js"), "missing-base src/none.js"],
    ["bytes that are no base64", write("x.bin", "a!==", { encoding: "base64" }), "bad-encoding x.bin"],
    ["half a character", write("x.txt", "\ud800"), "bad-encoding x.txt"],
    ["a file above the limit", write("x.txt", "x".repeat(CHANGE_SET_LIMITS.fileBytes + 1)), "too-large x.txt"],
    [
      "a token",
      write("x.js", `const t = "${["ghp", "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2"].join("_")}";`),
      "secret x.js",
    ],
  ])("for %s", (_, entry, expected) => {
    expect(judge([entry])).toEqual([expected]);
  });

  it("when package.json gets another script, or cannot be compared", () => {
    expect(judge([write("package.json", JSON.stringify({ scripts: { test: "true" } }))])).toEqual([
      "protected-file package.json",
    ]);
    expect(judge([write("package.json", "{")])).toEqual(["protected-file package.json"]);
    expect(judge([write("web/package.json", "{}")])).toEqual(["protected-file web/package.json"]);
    expect(judge([remove("package.json")])).toEqual(["protected-file package.json"]);
  });

  it("when a link of the set leads another one out", () => {
    expect(judge([link("src/up", ".."), link("src/l", "up/../x")])).toEqual(["symlink-escape src/l"]);
    expect(judge([link("src/x", "y"), link("src/y", "x")])).toEqual(["symlink-escape src/x", "symlink-escape src/y"]);
  });

  it("when two of its own names are one on some disk, or one stands twice", () => {
    expect(judge([write("lib/Ab.js"), write("lib/aB.js")])).toEqual(["case-collision lib/aB.js"]);
    expect(judge([write("lib/é.js"), write("lib/e\u0301.js")])).toEqual(["case-collision lib/e\u0301.js"]);
    expect(judge([write("lib/a.js"), write("lib/a.js")])).toEqual(["duplicate lib/a.js"]);
    expect(judge([write("x"), write("x/y")])).toEqual(["file-and-folder x"]);
  });

  it("when it is empty, of another base, too large or too many", () => {
    expect(judge([])).toEqual(["empty"]);
    expect(judge([write("a.js")], { expectedBase: "d".repeat(40) })).toEqual(["other-base"]);
    const chunk = "x".repeat(CHANGE_SET_LIMITS.fileBytes);
    const count = CHANGE_SET_LIMITS.totalBytes / CHANGE_SET_LIMITS.fileBytes + 1;
    expect(judge(Array.from({ length: count }, (_, index) => write(`f${index}`, chunk)))).toEqual(["too-large"]);
    expect(judge(Array.from({ length: CHANGE_SET_LIMITS.entries + 1 }, (_, index) => write(`f${index}`)))).toEqual([
      "too-many",
    ]);
  });

  it("with every problem told, and marked as refused", () => {
    const found = checkChangeSet({ v: 1, base, entries: [write("../x"), write(".git/x"), link("l", "/")] }, context);
    expect(found).toHaveLength(3);
    expect(found.every(({ refused, message }) => refused && message.length > 10)).toBe(true);
  });

  it("fast, also against a large tree", () => {
    const basePaths = Array.from({ length: 50_000 }, (_, index) => `packages/p${index % 200}/src/file${index}.ts`);
    const entries = Array.from({ length: 1000 }, (_, index) => write(`packages/p${index % 200}/src/new${index}.ts`));
    const started = performance.now();
    expect(judge(entries, { basePaths })).toEqual([]);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
