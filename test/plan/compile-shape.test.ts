import { describe, expect, it } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ProblemList } from "../../src/plan/problem-list.ts";
import { compileShape } from "../../src/plan/shape/compile-shape.ts";
import { findJsonType, type JsonSchema } from "../../src/plan/shape/json-schema.ts";

function explain(schema: JsonSchema, value: unknown): string[] {
  const problems = new ProblemList();
  compileShape(schema).check(value, [], problems);
  return problems.list().map(({ pointer, rule }) => `${rule} ${pointer}`);
}

const values = [
  undefined,
  null,
  true,
  0,
  3,
  -1,
  1.5,
  2 ** 40,
  "",
  " ",
  "a",
  "b",
  [],
  ["a"],
  ["a", "a"],
  [1],
  [[]],
  {},
  { kind: "a" },
  { kind: "b", n: 1 },
  { kind: "c" },
  { kind: 1 },
  { kind: "a", x: 1 },
  { n: 1 },
  "\u{1F600}",
];

const schemas: readonly JsonSchema[] = [
  { type: "string" },
  { type: "string", pattern: "^a" },
  { type: "string", enum: ["a", "x"] },
  { type: "boolean" },
  { type: "null" },
  { type: "integer", minimum: 0, maximum: 3 },
  { const: "a" },
  { const: 3 },
  { type: ["string", "null"] },
  { type: ["integer", "boolean"] },
  { type: "array", items: { type: "string" } },
  { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true },
  { type: "array", items: { type: "string" }, minItems: 2 },
  { type: "object" },
  {
    type: "object",
    additionalProperties: false,
    required: ["n"],
    properties: { n: { type: "integer" }, kind: { type: "string" } },
  },
  { oneOf: [{ type: "null" }, { type: "string" }, { type: "array", items: { type: "string" } }] },
  {
    oneOf: [
      { type: "object", additionalProperties: false, required: ["kind"], properties: { kind: { const: "a" } } },
      {
        type: "object",
        additionalProperties: false,
        required: ["kind", "n"],
        properties: { kind: { const: "b" }, n: { type: "integer" } },
      },
    ],
  },
  {
    oneOf: [
      { type: "null" },
      { type: "object", additionalProperties: false, required: ["kind"], properties: { kind: { const: "a" } } },
    ],
  },
  {
    oneOf: [{ type: "null" }, { type: "object", additionalProperties: false, properties: { n: { type: "integer" } } }],
  },
  { type: "string", pattern: "^.$" },
  { $ref: "#/$defs/x", $defs: { x: { type: "array", items: { $ref: "#/$defs/y" } }, y: { type: "string" } } },
];

describe("a compiled shape", () => {
  it.each(schemas.map((schema) => [JSON.stringify(schema), schema] as const))(
    "of %s agrees with ajv",
    (_text, schema) => {
      const accepts = new Ajv2020({ strict: false }).compile(schema);
      for (const value of values.slice(1))
        expect([value, explain(schema, value).length === 0]).toEqual([value, accepts(value)]);
    },
  );

  it.each(schemas.map((schema) => [JSON.stringify(schema), schema] as const))(
    "of %s keeps a sound value whole",
    (_text, schema) => {
      const sound = values.filter((value) => explain(schema, value).length === 0);
      expect(sound.map(compileShape(schema).prune)).toEqual(sound);
    },
  );

  it.each<[JsonSchema, unknown, unknown]>([
    [{ type: "string", minLength: 1 }, " ", undefined],
    [{ type: "string", minLength: 1 }, 1, undefined],
    [{ type: "string" }, " ", " "],
    [{ type: "string", pattern: "^a" }, "b", "b"],
    [{ type: "string", enum: ["a"] }, "b", undefined],
    [{ type: "integer" }, 1.5, undefined],
    [{ type: "integer", maximum: 3 }, 4, 4],
    [{ type: "boolean" }, 0, undefined],
    [{ type: "null" }, 0, undefined],
    [{ const: 3 }, 4, undefined],
    [{ type: ["string", "null"] }, 1, undefined],
    [{ type: "array", items: { type: "string" } }, ["a", 1, "b"], ["a", undefined, "b"]],
    [{ type: "array", items: { type: "string" } }, {}, undefined],
    [{ type: "object" }, [], undefined],
    [schemas[14]!, { n: "x", kind: "k", extra: 1 }, { kind: "k" }],
    [schemas[14]!, "x", undefined],
    [schemas[16]!, { kind: "b", n: "x" }, { kind: "b" }],
    [schemas[16]!, { kind: "z" }, undefined],
    [schemas[16]!, { n: 1 }, undefined],
    [schemas[16]!, "x", undefined],
  ])("of %j prunes %j to %j", (schema, value, sound) => {
    expect(compileShape(schema).prune(value)).toStrictEqual(sound);
  });

  it("leaves the path as it was", () => {
    const path = ["start"];
    compileShape(schemas[14]!).check({ n: "x", extra: 1, kind: 5 }, path, new ProblemList());
    compileShape(schemas[11]!).check(["a", 1, "a"], path, new ProblemList());
    compileShape(schemas[16]!).check({ kind: "z" }, path, new ProblemList());
    expect(path).toEqual(["start"]);
  });

  it("names the limits of a list and what is missing", () => {
    expect(explain(schemas[12]!, ["a"])).toEqual(["min-items "]);
    expect(explain(schemas[11]!, ["b", "a", "b", "b"])).toEqual(["unique-items /2", "unique-items /3"]);
    expect(explain(schemas[11]!, [1, 1])).toEqual(["type /0", "type /1"]);
    expect(explain(schemas[14]!, { m: 1 })).toEqual(["required ", "unknown-key /m"]);
  });

  const closed = schemas[14]!;
  const tagged = schemas[16]!;

  it.each<[string, JsonSchema, unknown, string, string]>([
    ["which value alone it takes", { const: "a" }, "b", 'x[0] is "b"; it must be "a"', '"a"'],
    ["what else it takes", { type: ["string", "null"] }, 1, "x[0] must be a string or null, not 1", "a string or null"],
    ["that it takes nothing", { type: "null" }, 0, "x[0] must be null, not 0", "null"],
    ["that it takes any object", { type: "object" }, [], "x[0] must be an object, not an empty list", "an object"],
    [
      "how many items it takes",
      schemas[12]!,
      ["a"],
      "x[0] is a list of 1; it needs at least 2 items",
      "at least 2 items",
    ],
    ["that one item is enough", schemas[11]!, [], "x[0] is an empty list; it needs at least 1 item", "at least 1 item"],
    [
      "which kinds there are",
      tagged,
      { kind: "c" },
      'x[0].kind is "c"; it must be one of a, b; did you mean "a"?',
      "a, b",
    ],
    ["which kinds there are, to a number too", tagged, { kind: 1 }, "x[0].kind is 1; it must be one of a, b", "a, b"],
    ["which keys there are", closed, { n: 1, kid: 1 }, 'x[0] has no key "kid"; did you mean "kind"?', "n, kind"],
  ])("says %s", (_what, schema, value, message, allowed) => {
    const problems = new ProblemList();
    compileShape(schema).check(value, ["x", 0], problems);
    expect(problems.list()).toMatchObject([{ message, allowed }]);
  });

  it("names at most twelve keys of an object that lacks one", () => {
    const problems = new ProblemList();
    const many = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`k${index}`, 1]));
    const properties = Object.fromEntries(
      ["n", ...Object.keys(many)].map((key) => [key, { type: "integer" as const }]),
    );
    compileShape({ type: "object", additionalProperties: false, required: ["n"], properties }).check(
      many,
      [],
      problems,
    );
    const twelve = Array.from({ length: 12 }, (_, index) => `"k${index}"`).join(", ");
    expect(problems.list()).toMatchObject([{ rule: "required", found: `an object with ${twelve}` }]);
  });

  it("is not made of what it does not understand", () => {
    expect(() => compileShape({})).toThrow(new TypeError("a schema without a type"));
    expect(() => compileShape({ type: "array" })).toThrow(new TypeError("a list without `items`"));
    expect(() => compileShape({ type: "object", properties: {} })).toThrow(
      new TypeError("an object with `properties` must be closed"),
    );
    expect(() => compileShape({ $ref: "#/$defs/none" })).toThrow(new TypeError("no definition #/$defs/none"));
    expect(() => compileShape({ $ref: "#/$defs/none", $defs: {} })).toThrow(
      new TypeError("no definition #/$defs/none"),
    );
  });

  it("knows the types of JSON", () => {
    expect(values.slice(0, 8).map(findJsonType)).toEqual([
      "undefined",
      "null",
      "boolean",
      "integer",
      "integer",
      "integer",
      "number",
      "integer",
    ]);
    expect([findJsonType("x"), findJsonType([]), findJsonType({}), findJsonType(() => 1)]).toEqual([
      "string",
      "array",
      "object",
      "undefined",
    ]);
  });
});
