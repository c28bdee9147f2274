import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { countWrittenKeys, measureValue } from "../../src/plan/json/count-keys.ts";
import { readJson } from "../../src/plan/json/read-json.ts";
import { scanJson } from "../../src/plan/json/scan-json.ts";
import { findPosition, locateProblems } from "../../src/plan/json/source-map.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON texts with a few characters replaced, dropped or added. */
const nearlyJson = fc
  .tuple(
    fc.json({ maxDepth: 3 }),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom(
          "",
          '"',
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          " ",
          "\n",
          "1",
          "-",
          "e",
          ".",
          "0",
          "\\",
          "u",
          "t",
          "null",
          "\u0001",
          "'",
          "/",
        ),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([text, edits]) =>
    edits.reduce(
      (edited, [at, piece]) =>
        edited.slice(0, at % (edited.length + 1)) + piece + edited.slice((at % (edited.length + 1)) + (at % 2)),
      text,
    ),
  );

describe("the scanner", () => {
  it("accepts what JSON.parse accepts and nothing else", () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        expect([text, scanJson(text, {}) === null]).toEqual([text, isJson(text)]);
      }),
      { numRuns: Number(process.env["TASKFLEET_DRIFT_RUNS"] ?? 5000) },
    );
  });

  it.each(["9", "[90, -9]", "1e5", "1E+5", "\t1", "-0.5e-3", '{"a":1,"a":2}', '"\\u00e9\\/"'])("accepts %j", (text) => {
    expect([scanJson(text, {}), isJson(text)]).toEqual([null, true]);
  });

  it("knows where every value stands", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(0, 1, 3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const seen: string[] = [];
        scanJson(text, {
          onValue: (pointer, offset, keyOffset) => {
            seen.push(pointer);
            const expected = JSON.stringify(followPointer(JSON.parse(text), pointer), null, indent).replaceAll(
              "\n",
              "",
            );
            // Nested lines are indented deeper than on their own.
            if (!expected.startsWith("{") && !expected.startsWith("["))
              expect(text.slice(offset, offset + expected.length)).toBe(expected);
            else expect(text[offset]).toBe(expected[0]);
            if (keyOffset >= 0) expect(text[keyOffset]).toBe('"');
          },
        });
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen[0]).toBe("");
      }),
    );
  });

  it("hears of every key that stands twice", () => {
    const member = fc.tuple(fc.constantFrom("a", "b", "c/d", "~"), fc.integer());
    fc.assert(
      fc.property(fc.array(member, { maxLength: 6 }), (members) => {
        const text = `{"x": [{${members.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(", ")}}]}`;
        const twice: string[] = [];
        scanJson(text, { onDuplicate: (_pointer, key) => twice.push(key) });
        const keys = members.map(([key]) => key);
        expect(twice).toEqual(keys.filter((key, index) => keys.indexOf(key) < index));
        expect(readJson(text).ok).toBe(twice.length === 0);
      }),
    );
  });
});

function followPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce((part, key) => (part as Record<string, unknown>)[key.replaceAll("~1", "/").replaceAll("~0", "~")], value);
}

describe("keys", () => {
  it("are counted in the text as in the value, when none stands twice", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(countWrittenKeys(text)).toBe(measureValue(JSON.parse(text), 1000).keys);
      }),
    );
  });

  it.each([
    ['{"a":1}', 1],
    ['{"a" \n\t: 1}', 1],
    ['["a:", ":b", "\\":", "c\\\\"]', 0],
    ['{"a\\"": ":", "b\\\\": 1, "\\\\\\"": 2}', 3],
    ["{}", 0],
    ["", 0],
    ['"unclosed', 0],
    ['"', 0],
  ])("are counted in %j", (text, count) => {
    expect(countWrittenKeys(text)).toBe(count);
  });

  it("stop being counted one level above the limit", () => {
    expect(measureValue(1, 5)).toEqual({ keys: 0, depth: 0 });
    expect(measureValue([[{ a: [null] }]], 9)).toEqual({ keys: 1, depth: 4 });
    expect(measureValue([[{ a: [null] }]], 2)).toEqual({ keys: 1, depth: 3 });
    expect(measureValue({ a: { b: 1, c: null }, d: [{}] }, 9)).toEqual({ keys: 4, depth: 3 });
  });
});

describe("problems", () => {
  const at = (pointer: string, rule = "r") => ({ pointer, rule, message: "m" });

  it("are told as a reader meets them, in their order where they meet, and last where there is no place", () => {
    const text = '{"a": 1,\n "b": [2, 3]}';
    const found = [at("/gone"), at("/b/1"), at("/lost"), at("/b", "unknown-key"), at("/a"), at("/a", "s"), at("")];
    expect(
      locateProblems(text, found).map(({ pointer, rule, line, column }) => `${pointer} ${rule} ${line}:${column}`),
    ).toEqual([
      " r 1:1",
      "/a r 1:7",
      "/a s 1:7",
      "/b unknown-key 2:2",
      "/b/1 r 2:11",
      "/gone r undefined:undefined",
      "/lost r undefined:undefined",
    ]);
  });

  it("of a text that is not read come without the text", () => {
    expect(readJson("12345", { maxBytes: 4 })).toMatchObject({ ok: false, text: "", problems: [{ pointer: "" }] });
    expect(readJson(Uint8Array.of(0xff))).toMatchObject({ ok: false, text: "", problems: [{ pointer: "" }] });
    expect(readJson("\uFEFF[")).toMatchObject({ ok: false, text: "[" });
  });
});

describe("a position", () => {
  it.each([
    ["abc", 0, 1, 1],
    ["abc", 2, 1, 3],
    ["a\nb", 1, 1, 2],
    ["a\nb", 2, 2, 1],
    ["a\r\nb", 3, 2, 1],
    ["\n\n\nx", 3, 4, 1],
    ["a\nb\n", 4, 3, 1],
    ["é\u{1F600}x", 3, 1, 4],
  ])("in %j at %d is %d:%d", (text, offset, line, column) => {
    expect(findPosition(text, offset)).toEqual({ line, column });
  });
});
