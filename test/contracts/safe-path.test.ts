import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import path from "node:path";
import { checkPortablePath, checkSafePath, foldPath } from "../../src/contracts/safe-path.ts";

describe("a path", () => {
  it.each([
    "a",
    "src/app.ts",
    "app/[id]/page.tsx",
    "a b/c d.txt",
    ".github/workflows/ci.yml",
    ".gitignore",
    ".gitattributes",
    "x/.gitkeep",
    "git/x",
    "-dash",
    "a..b",
    "...",
    "..a",
    "a/~b",
    "@scope/pkg.ts",
    "日本語/ファイル.md",
    "नमस्\u200dते.md",
    "می\u200cخواهم.md",
    "é/e\u0301",
    "a".repeat(255),
    Array.from({ length: 16 }, () => "x".repeat(255)).join("/"),
    "git~2",
    "a/git~10",
    "+page.svelte",
    "a/(group)/{b}.ts",
    "a'b\"c$d&e|f;g<h>i",
  ])("%j is safe", (text) => {
    expect(checkSafePath(text)).toBeNull();
  });

  it.each([
    ["", "is empty"],
    ["/etc/passwd", "is absolute (starts with `/`)"],
    ["/", "is absolute (starts with `/`)"],
    ["~/x", "starts with `~`"],
    ["~root", "starts with `~`"],
    ["a\\b", "contains a backslash (separate folders by `/`)"],
    ["..\\x", "contains a backslash (separate folders by `/`)"],
    ["C:/x", "contains `:`"],
    ["a:stream", "contains `:`"],
    ["a\0b", "contains a control character"],
    ["a\nb", "contains a control character"],
    ["a\u007fb", "contains a control character"],
    ["a\u0085b", "contains a control character"],
    ["a\u200bb", "contains an invisible character"],
    ["a\u202eb", "contains an invisible character"],
    ["a\u2028b", "contains an invisible character"],
    ["a\ufeffb", "contains an invisible character"],
    ["\u{e0041}", "contains an invisible character"],
    ["src/*.ts", "contains `*` or `?` (name exact files, no globs)"],
    ["a?", "contains `*` or `?` (name exact files, no globs)"],
    ["a\ud800", "contains half of a surrogate pair"],
    ["a//b", "has an empty component (`//` or a final `/`)"],
    ["a/", "has an empty component (`//` or a final `/`)"],
    [".", "has a `.` component"],
    ["./a", "has a `.` component"],
    ["a/./b", "has a `.` component"],
    ["..", "leaves the repository (`..`)"],
    ["../a", "leaves the repository (`..`)"],
    ["a/..", "leaves the repository (`..`)"],
    ["a/../../b", "leaves the repository (`..`)"],
    [" ", "has a blank component"],
    ["a/ /b", "has a blank component"],
    ["a/\u3000/b", "has a blank component"],
    ["\u200d", "has a blank component"],
    [".git", "enters a `.git` folder"],
    [".git/config", "enters a `.git` folder"],
    ["a/.GIT/hooks/x", "enters a `.git` folder"],
    [".Git", "enters a `.git` folder"],
    [".g\u200dit/x", "enters a `.git` folder"],
    [".git./x", "enters a `.git` folder"],
    [".git /x", "enters a `.git` folder"],
    ["GIT~1/x", "enters a `.git` folder"],
    ["é".repeat(128), "has a component of more than 255 bytes"],
    ["a".repeat(256), "has a component of more than 255 bytes"],
    [Array.from({ length: 17 }, () => "x".repeat(255)).join("/"), "is longer than 4096 bytes"],
  ])("%j is not safe", (text, reason) => {
    expect(checkSafePath(text)).toBe(reason);
  });

  it("that is safe stays inside whatever folder it is joined to, on every system", () => {
    const part = fc.oneof(
      fc.constantFrom(".", "..", "", " ", "~", "a", ".git", "C:", "\\", "x y", "*"),
      fc.string({ unit: "binary", maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const text = parts.join("/");
        if (checkSafePath(text) !== null) return;
        expect(path.posix.join("/root", text)).toBe(`/root/${text}`);
        expect(path.win32.resolve("D:\\root", text).startsWith("D:\\root\\")).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["a /b", "has a component that begins or ends with a blank"],
    ["a/ b", "has a component that begins or ends with a blank"],
    ["a/b.", "has a component that ends with a dot, which Windows drops"],
    ["a./b", "has a component that ends with a dot, which Windows drops"],
    ["a b/c.d", null],
  ])("%j may be changed by some disks", (text, reason) => {
    expect(checkPortablePath(text)).toBe(reason);
  });
});

describe("two paths are one file", () => {
  it.each([
    ["src/App.ts", "SRC/app.ts"],
    ["caf\u00e9", "cafe\u0301"],
    ["STRASSE", "straße"],
    ["STRASSE", "STRAẞE"],
    ["ΣΑΣ", "σας"],
    ["σασ", "σας"],
    ["\u212aelvin", "kelvin"],
    ["ſtart", "start"],
    ["ﬃ", "FFI"],
    ["É", "e\u0301"],
    ["İ", "i\u0307"],
    ["µ", "μ"],
    ["Ⴀ", "ⴀ"],
    ["ᾳ", "αι"],
  ])("when %j and %j differ in case or accents only", (a, b) => {
    expect(foldPath(a)).toBe(foldPath(b));
  });

  it.each([
    ["a", "b"],
    ["ı", "i"],
    ["ıI", "ii".replace("i", "i")],
    ["a/b", "a_b"],
    ["é", "e"],
  ])("but not %j and %j", (a, b) => {
    expect(foldPath(a)).not.toBe(foldPath(b));
  });

  it("and folding a folded path changes nothing", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => foldPath(foldPath(text)) === foldPath(text)));
  });
});
