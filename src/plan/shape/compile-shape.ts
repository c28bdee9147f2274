import { buildArrayShape } from "./array-shape.ts";
import type { JsonSchema, JsonType } from "./json-schema.ts";
import { anyObjectShape, buildObjectShape } from "./object-shape.ts";
import { booleanShape, compileConst, compileInteger, compileString, nullShape } from "./scalar-shapes.ts";
import type { Shape } from "./shape.ts";
import { buildTaggedUnion, buildTypeUnion } from "./union-shape.ts";

/**
 * Compiles one of our schemas. ajv would accept and refuse the same documents (a property test
 * holds the two together), but its messages name no near misses, blame every alternative of a union,
 * and it costs more to load than a whole validation takes.
 * @throws TypeError when the schema uses a keyword in a way that is not supported here
 */
export function compileShape(root: JsonSchema): Shape {
  const compile = (schema: JsonSchema): Shape => {
    if (schema.$ref !== undefined) return compile(resolveReference(root, schema.$ref));
    if (schema.const !== undefined) return compileConst(schema.const);
    if (schema.oneOf !== undefined) return compileUnion(schema.oneOf, compile);
    if (Array.isArray(schema.type)) {
      const types = schema.type as readonly JsonType[];
      return buildTypeUnion(new Map(types.map((type) => [type, compile({ ...schema, type })])));
    }
    return compileType(schema, schema.type as JsonType | undefined, compile);
  };
  return compile(root);
}

type Compile = (schema: JsonSchema) => Shape;

function compileType(schema: JsonSchema, type: JsonType | undefined, compile: Compile): Shape {
  switch (type) {
    case "object":
      return compileObject(schema, compile);
    case "array":
      if (schema.items === undefined) throw new TypeError("a list without `items`");
      return buildArrayShape(compile(schema.items), {
        minItems: schema.minItems ?? 0,
        unique: schema.uniqueItems ?? false,
      });
    case "string":
      return compileString(schema);
    case "integer":
      return compileInteger(schema);
    case "boolean":
      return booleanShape;
    case "null":
      return nullShape;
    case undefined:
      throw new TypeError("a schema without a type");
  }
}

function compileObject(schema: JsonSchema, compile: Compile): Shape {
  if (schema.properties === undefined) return anyObjectShape;
  if (schema.additionalProperties !== false) throw new TypeError("an object with `properties` must be closed");
  const required = new Set(schema.required ?? []);
  return buildObjectShape(
    Object.entries(schema.properties).map(([key, part]) => ({
      key,
      shape: compile(part),
      required: required.has(key),
    })),
  );
}

function compileUnion(alternatives: readonly JsonSchema[], compile: Compile): Shape {
  const tags = alternatives.map((schema) => schema.properties?.["kind"]?.const);
  if (tags.every((tag) => typeof tag === "string")) {
    return buildTaggedUnion("kind", new Map(alternatives.map((schema, index) => [tags[index]!, compile(schema)])));
  }
  return buildTypeUnion(new Map(alternatives.map((schema) => [schema.type as JsonType, compile(schema)])));
}

function resolveReference(root: JsonSchema, reference: string): JsonSchema {
  const schema = root.$defs?.[reference.replace(/^#\/\$defs\//, "")];
  if (schema === undefined) throw new TypeError(`no definition ${reference}`);
  return schema;
}
