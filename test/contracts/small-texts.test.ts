import { describe, expect, it } from "@jest/globals";
import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { isBlank } from "../../src/contracts/blank.ts";
import { checkBranchName } from "../../src/contracts/branch-name.ts";
import { formatCanonicalJson } from "../../src/contracts/canonical-json.ts";

describe("blank text", () => {
  it.each(["", " ", "\t\r\n", "\u00a0", "\u3000", "\u200b", "\u2060\ufeff", "\u0000", "\u2028", "\u00ad \u202e"])(
    "%j says nothing",
    (text) => {
      expect(isBlank(text)).toBe(true);
    },
  );

  it.each(["a", " a", "\u200ba", ".", "0", "é", "\u0301", "〜", "😀", "~", "!"])("%j says something", (text) => {
    expect(isBlank(text)).toBe(false);
  });
});

describe("a branch name", () => {
  it.each([
    "main",
    "feature/#1",
    "taskfleet/7-todo/integration",
    "a.b",
    "x@y",
    "@x",
    "a/HEAD",
    "日本",
    "a-",
    "{x}",
    "a}b",
    "feat/\u{1F600}",
  ])("%j is valid", (name) => {
    expect(checkBranchName(name)).toBeNull();
  });

  it.each([
    ["", "is empty"],
    ["-x", "starts with `-`"],
    ["@", "is `@`"],
    ["HEAD", "is `HEAD`"],
    ["refs/heads/x", "starts with `refs/` (write the short name)"],
    ["a b", "contains a blank, a control character or one of `~ ^ : ? * [ \\`"],
    ["a~1", "contains a blank, a control character or one of `~ ^ : ? * [ \\`"],
    ["a^", "contains a blank, a control character or one of `~ ^ : ? * [ \\`"],
    ["a:b", "contains a blank, a control character or one of `~ ^ : ? * [ \\`"],
    ["a\\b", "contains a blank, a control character or one of `~ ^ : ? * [ \\`"],
    ["a\u0007", "contains a blank, a control character or one of `~ ^ : ? * [ \\`"],
    ["a..b", "contains `..`"],
    ["a@{1}", "contains `@{`"],
    ["a.", "ends with a dot"],
    ["a\ud800", "contains half of a surrogate pair"],
    ["a//b", "has an empty component (a `/` at an end, or two in a row)"],
    ["/a", "has an empty component (a `/` at an end, or two in a row)"],
    ["a/", "has an empty component (a `/` at an end, or two in a row)"],
    [".a", "has a component that starts with a dot"],
    ["a/.b", "has a component that starts with a dot"],
    ["a.lock", "has a component that ends with `.lock`"],
    ["a.lock/b", "has a component that ends with `.lock`"],
  ])("%j is not", (name, reason) => {
    expect(checkBranchName(name)).toBe(reason);
  });

  it("is judged as git judges it", () => {
    const names = [
      "a",
      "a/b",
      "a..b",
      "a.lock",
      "a.lock/b",
      ".a",
      "a/.b",
      "a.",
      "a./b",
      "a@{b",
      "@a",
      "a@",
      "-a",
      "a-b",
      "a b",
      "a~",
      "a^",
      "a:",
      "a?",
      "a*",
      "a[",
      "a]",
      "a\\b",
      "a\u007f",
      "a//b",
      "a/",
      "/a",
      "é",
      "a{b}",
      "a\u0080b",
    ];
    for (const name of names) {
      let git = true;
      try {
        execFileSync("git", ["check-ref-format", "--branch", name], { stdio: "ignore" });
      } catch {
        git = false;
      }
      // C1 control characters are fine to git and to nobody else.
      if (name !== "a\u0080b") expect([name, checkBranchName(name) === null]).toEqual([name, git]);
    }
  });
});

describe("canonical JSON", () => {
  it("does not depend on the order of keys, at any depth", () => {
    expect(formatCanonicalJson({ b: [{ y: 1, x: null }], a: "é", __proto__x: 1 })).toBe(
      '{"__proto__x":1,"a":"é","b":[{"x":null,"y":1}]}',
    );
    expect(formatCanonicalJson(JSON.parse('{"b":1,"__proto__":{"d":2,"c":1},"a":2}'))).toBe(
      '{"__proto__":{"c":1,"d":2},"a":2,"b":1}',
    );
  });

  it("leaves out what is undefined and prints scalars as JSON does", () => {
    expect(formatCanonicalJson({ a: undefined, b: [undefined], c: -0, d: 1e21, e: true })).toBe(
      '{"b":[null],"c":0,"d":1e+21,"e":true}',
    );
    expect([formatCanonicalJson(null), formatCanonicalJson("x"), formatCanonicalJson(undefined)]).toEqual([
      "null",
      '"x"',
      "null",
    ]);
  });

  it("says the same for equal values and reads back to them", () => {
    const shuffled = fc.jsonValue().chain((value) => fc.tuple(fc.constant(value), fc.constant(reverseKeys(value))));
    fc.assert(
      fc.property(shuffled, ([value, reversed]) => {
        expect(formatCanonicalJson(reversed)).toBe(formatCanonicalJson(value));
        expect(JSON.parse(formatCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== "object" || value === null) return value;
  const reversed: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value).toReversed()) {
    Object.defineProperty(reversed, key, {
      value: reverseKeys(part),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return reversed;
}
