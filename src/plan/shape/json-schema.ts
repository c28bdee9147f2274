/** The part of JSON Schema 2020-12 that our schemas use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: string | number;
  readonly enum?: readonly string[];
  readonly oneOf?: readonly JsonSchema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: false;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly description?: string;
  readonly default?: unknown;
  readonly title?: string;
  readonly $schema?: string;
  readonly $id?: string;
}

export type JsonType = "object" | "array" | "string" | "integer" | "boolean" | "null";

/** The JSON type a value has; whole numbers are `integer`. */
export function findJsonType(value: unknown): JsonType | "number" | "undefined" {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "object" || typeof value === "string" || typeof value === "boolean")
    return typeof value as JsonType;
  return "undefined";
}

const typeNames: Readonly<Record<JsonType, string>> = {
  object: "an object",
  array: "a list",
  string: "a string",
  integer: "a whole number",
  boolean: "true or false",
  null: "null",
};

export function describeTypes(types: readonly JsonType[]): string {
  return types.map((type) => typeNames[type]).join(" or ");
}
