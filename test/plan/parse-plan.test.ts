import { describe, expect, it } from "@jest/globals";
import { parsePlan } from "../../src/plan/parse-plan.ts";
import { buildValidPlan, copyLoosely } from "./build-valid-plan.ts";

const text = JSON.stringify(buildValidPlan(), null, 2);

function explain(input: string | Uint8Array, limits = {}): string[] {
  return parsePlan(input, limits).problems.map(
    ({ rule, line, column, message }) => `${line}:${column} ${rule}: ${message}`,
  );
}

describe("a plan's text", () => {
  it("is read into the plan it says", () => {
    expect(parsePlan(text)).toEqual({ plan: buildValidPlan(), problems: [] });
  });

  it("may begin with a byte order mark, end its lines with CRLF and come as bytes", () => {
    const windows = `\uFEFF${text.replaceAll("\n", "\r\n")}`;
    expect(parsePlan(windows)).toEqual({ plan: buildValidPlan(), problems: [] });
    expect(parsePlan(new TextEncoder().encode(windows))).toEqual({ plan: buildValidPlan(), problems: [] });
  });

  it("may hold one byte order mark only", () => {
    const two = `\uFEFF\uFEFF${text}`;
    for (const input of [two, new TextEncoder().encode(two)])
      expect(explain(input)).toEqual(['1:1 json-syntax: found "\uFEFF" where a value should stand']);
  });

  it("may write characters as pairs of escapes", () => {
    const { plan, problems } = parsePlan(text.replace("Build store", "\\ud83d\\ude00"));
    expect([plan?.chunks[0]?.title, problems]).toEqual(["\u{1F600}", []]);
  });

  it("may write whole numbers in other ways", () => {
    const written = text.replace('"plan_rev": 1', '"plan_rev": 1.0').replace('"intent_rev": 1', '"intent_rev": -0');
    expect(parsePlan(written).plan).toMatchObject({ plan_rev: 1, intent_rev: -0 });
  });

  it("shows where a problem is, counting lines and columns from 1", () => {
    const broken = `\uFEFF${text.replace('"tier": "mid"', '"tier": "low"').replaceAll("\n", "\r\n")}`;
    const line = text.split("\n").findIndex((part) => part.includes('"tier"')) + 1;
    expect(parsePlan(broken).problems).toMatchObject([{ rule: "enum", pointer: "/chunks/0/tier", line, column: 15 }]);
  });

  it("shows an unknown key at the key and problems in the order of the text", () => {
    const plan = copyLoosely(buildValidPlan());
    plan.chunks[1].colour = "red";
    plan.chunks[0].tier = "low";
    plan.extra = 1;
    const found = parsePlan(JSON.stringify(plan)).problems;
    expect(found.map((problem) => problem.pointer)).toEqual(["/chunks/0/tier", "/chunks/1/colour", "/extra"]);
    expect(JSON.stringify(plan).slice(found[2]!.column! - 1)).toBe('"extra":1}');
  });

  it("leaves the prototype of the plan alone and refuses keys that name it", () => {
    const evil = text.replace('"plan_rev"', '"__proto__": { "polluted": true }, "constructor": 1, "plan_rev"');
    expect(parsePlan(evil).problems.map((problem) => problem.pointer)).toEqual(["/__proto__", "/constructor"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(
      parsePlan(text.replace('"title": "Build store",', '"__proto__": { "title": "x" },')).problems.map(
        ({ rule }) => rule,
      ),
    ).toEqual(["required", "unknown-key"]);
  });
});

describe("a text that is no plan", () => {
  it.each([
    ["", "1:1 json-syntax: the document is empty"],
    [" \n\t", "1:1 json-syntax: the document is empty"],
    ['{"a": NaN}', "1:7 json-syntax: `NaN` is not JSON"],
    ['{"a": -Infinity}', "1:7 json-syntax: `-Infinity` is not a number of JSON"],
    ['{"a": Infinity}', "1:7 json-syntax: `Infinity` is not JSON"],
    ['{"a": undefined}', "1:7 json-syntax: `undefined` is not JSON"],
    ['{"a": True}', "1:7 json-syntax: `True` is not JSON"],
    ['{"a": truely}', '1:7 json-syntax: found "t" where a value should stand'],
    ["// hello\n{}", "1:1 json-syntax: comments are not JSON"],
    ["{\n  /* hello */\n}", "2:3 json-syntax: comments are not JSON"],
    ["{\n# hello\n}", "2:1 json-syntax: comments are not JSON"],
    ['{"a": 1,}', "1:8 json-syntax: a comma before `}` is not JSON"],
    ["[1,\n 2 ,\n]", "2:4 json-syntax: a comma before `]` is not JSON"],
    ["[1,,2]", '1:4 json-syntax: found "," where a value should stand'],
    ["{,}", '1:2 json-syntax: found "," where a key in double quotes should stand'],
    ['{"a" 1}', '1:6 json-syntax: found "1" where `:` after the key "a" should stand'],
    ['{"a": 1 "b": 2}', '1:9 json-syntax: found "\\"" where `,` or `}` should stand'],
    ["[1 2]", '1:4 json-syntax: found "2" where `,` or `]` should stand'],
    ["{'a': 1}", "1:2 json-syntax: strings stand in double quotes, not in single ones"],
    ["{a: 1}", '1:2 json-syntax: found "a" where a key in double quotes should stand'],
    ['{"a": 1} {}', '1:10 json-syntax: found "{" where the end of the text should stand'],
    ["{} // end", "1:4 json-syntax: comments are not JSON"],
    ['{"a": [1, {"b": 2}', "1:19 json-syntax: the text ends where `,` or `]` should stand"],
    ['{"a":', "1:6 json-syntax: the text ends where a value should stand"],
    ['{"a', "1:2 json-syntax: this string is never closed"],
    ['{"a": "x\ny"}', "1:9 json-syntax: a string may not contain a line break; write `\\n`"],
    ['{"a": "x\ty"}', "1:9 json-syntax: a string may not contain a tab; write `\\t`"],
    ['{"a": "x\u0001y"}', "1:9 json-syntax: a string may not contain the control character U+0001; write `\\u0001`"],
    ['{"a": "x\ry"}', "1:9 json-syntax: a string may not contain a line break; write `\\r`"],
    ['{"a": "\\x41"}', "1:8 json-syntax: `\\x` is not an escape of JSON"],
    ['{"a": "\\x41\\n"}', "1:8 json-syntax: `\\x` is not an escape of JSON"],
    ['{"a": "\\u12G4"}', "1:8 json-syntax: `\\u` is not an escape of JSON"],
    ['{"a": 01}', "1:7 json-syntax: `01` is not a number of JSON"],
    ['{"a": +1}', '1:7 json-syntax: found "+" where a value should stand'],
    ['{"a": 1.}', "1:7 json-syntax: `1.` is not a number of JSON"],
    ['{"a": .5}', '1:7 json-syntax: found "." where a value should stand'],
    ['{"a": 0x10}', "1:7 json-syntax: `0x10` is not a number of JSON"],
    ['{"a": 1e}', "1:7 json-syntax: `1e` is not a number of JSON"],
    ['{"a": -}', "1:7 json-syntax: `-` is not a number of JSON"],
    ["[}", '1:2 json-syntax: found "}" where a value should stand'],
    ["\u{1F600}", '1:1 json-syntax: found "\u{1F600}" where a value should stand'],
  ])("%j is explained at its place", (broken, expected) => {
    expect(explain(broken)).toEqual([expected]);
  });

  it.each<[string | Uint8Array, string, string]>([
    ["", "nothing", "a value"],
    ["[NaN]", "NaN", "a value"],
    ['{"a": 1 /* one */}', "a comment", "`,` or `}`"],
    ["[1,]", '","', "`]`"],
    ["{'a': 1}", '"\'"', "a key in double quotes"],
    ['{"a" 1}', '"1"', '`:` after the key "a"'],
    ['{"a":', "the end of the text", "a value"],
    ["{} {}", '"{"', "the end of the text"],
    ['"a', "no closing quote", 'a closing `"`'],
    ['"a\n"', "a line break", "\\n"],
    ['"a\t"', "a tab", "\\t"],
    ['"a\u001f"', "U+001F", "\\u001f"],
    ['"\\x41"', "\\x", '\\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t, or \\u and four hexadecimal digits'],
    ["01", "01", "a number like 12, -0.5 or 1e3"],
    [`${"1".repeat(50)}x`, "1".repeat(40), "a number like 12, -0.5 or 1e3"],
    ["[[[[", "more than 3 levels", "up to 3 levels"],
    ['"\\ud800"', "half of a surrogate pair", "whole characters"],
    ['"\ud800"', "half of a surrogate pair", "whole characters"],
    [Uint8Array.of(0xff), "bytes that are no UTF-8", "UTF-8"],
    ["x".repeat(101), "more than 100 bytes", "up to 100 bytes"],
  ])("%j is told what was found and what would be read", (broken, found, allowed) => {
    expect(parsePlan(broken, { maxBytes: 100, maxDepth: 3 }).problems).toMatchObject([{ pointer: "", found, allowed }]);
  });

  it("is refused when a key stands twice, wherever and however it is written", () => {
    expect(explain('{"tier": 1,\n "x": {"a": 1, "b": 2, "a": 3},\n "\\u0074ier": 2}')).toEqual([
      '2:24 duplicate-key: the key "a" stands twice in one object, first at line 2, column 8',
      '3:2 duplicate-key: the key "tier" stands twice in one object, first at line 1, column 2',
    ]);
    expect(parsePlan('{"x/y~": {"a":1,"a":1}}').problems).toMatchObject([
      { pointer: "/x~1y~0/a", found: '"a"', allowed: "each key once", line: 1, column: 17 },
    ]);
    expect(explain('{"a":1,"a":2,"a":3}')).toHaveLength(2);
  });

  it("may use a key again in another object", () => {
    expect(explain('[{"a": 1}, {"a": {"a": "\\"a\\": 1"}}]').map((line) => line.split(" ")[1])).toEqual(["type:"]);
  });

  it("is refused when it holds half a character", () => {
    expect(explain('{"a": "\\ud83d"}')).toEqual([
      "1:2 lone-surrogate: a string holds half of a surrogate pair, which is no character",
    ]);
    expect(explain('["\\ude00", "\\ud83d\\ude00"]')).toEqual([
      "1:2 lone-surrogate: a string holds half of a surrogate pair, which is no character",
    ]);
    expect(explain('{"x": {"\\ud83d": 1}}')).toEqual([
      "1:8 lone-surrogate: a string holds half of a surrogate pair, which is no character",
    ]);
    expect(
      parsePlan('{"n": null, "a/b": ["\\ud83d", {"c~d": "\\ude00"}], "e": "\\ud83d"}').problems.map(
        ({ pointer }) => pointer,
      ),
    ).toEqual(["/a~1b/0", "/a~1b/1/c~0d", "/e"]);
    expect(explain('{\n"a": "\ud83d"}')).toEqual(["2:7 lone-surrogate: half of a surrogate pair is no character"]);
    expect(explain('{\n"a": "\ude00\ud83d"}')).toEqual([
      "2:7 lone-surrogate: half of a surrogate pair is no character",
    ]);
  });

  it("is refused when its bytes are not UTF-8", () => {
    expect(explain(Uint8Array.of(0x7b, 0xff, 0x7d))).toEqual([
      "undefined:undefined encoding: the document is not valid UTF-8",
    ]);
  });

  it("is refused above the size limit, counted in bytes", () => {
    expect(explain('"ééé"', { maxBytes: 7 })).toEqual([
      "undefined:undefined size-limit: the document has more than 7 bytes",
    ]);
    expect(explain('"ééé"', { maxBytes: 8 })).toHaveLength(1);
    expect(explain(new TextEncoder().encode('"ééé"'), { maxBytes: 8 })[0]).toContain("type");
    expect(explain('"ééé"', { maxBytes: 8 })[0]).toContain("type");
    expect(explain(new Uint8Array(4 * 1024 * 1024 + 1))[0]).toContain("has more than 4194304 bytes");
    expect(explain(`"${"x".repeat(4 * 1024 * 1024)}"`)[0]).toContain("size-limit");
    expect(explain(`"${"x".repeat(4 * 1024 * 1024 - 2)}"`)[0]).toContain("type");
  });

  it("is refused when nested too deeply, valid or not", () => {
    expect(explain(`${"[".repeat(64)}${"]".repeat(64)}`)[0]).toContain("type");
    expect(explain(`${"[".repeat(65)}${"]".repeat(65)}`)).toEqual([
      "1:65 nesting-limit: objects and arrays are nested more than 64 deep",
    ]);
    expect(explain('{"a":[{"b":[]}]}', { maxDepth: 3 })).toEqual([
      "1:12 nesting-limit: objects and arrays are nested more than 3 deep",
    ]);
    expect(explain("[".repeat(100_000))).toEqual([
      "1:65 nesting-limit: objects and arrays are nested more than 64 deep",
    ]);
  });

  it("is refused as a whole when it is JSON of another kind", () => {
    expect(parsePlan("[]").problems).toMatchObject([
      { pointer: "", rule: "type", message: "the document must be an object, not an empty list", line: 1, column: 1 },
    ]);
    expect(parsePlan("null").problems).toMatchObject([{ rule: "type", found: "null" }]);
    expect(parsePlan('"plan"').problems).toMatchObject([{ rule: "type", found: '"plan"' }]);
  });
});
