/**
 * `node tools/dev/openapi-slice.ts [folder]`: cuts GitHub's own API description down to the operations
 * the App uses and writes test/fixtures/github-openapi.json. The description (385 MB unpacked) is
 * fetched by npm into a temporary folder, or read from a folder that holds the unpacked package.
 *
 * What is kept per operation: the schema of the request's body and of each answer. Schemas become plain
 * JSON Schema (OpenAPI 3.0 says `nullable`); descriptions and examples go.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { OPERATIONS } from "../../src/github/operations.ts";

const version = "23.0.2";
const target = "test/fixtures/github-openapi.json";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = Readonly<Record<string, Json>>;

/** Used by Octokit on our behalf. */
const further = ["POST /app/installations/{installation_id}/access_tokens"];
/** Named otherwise, or not at all, in the description. */
const undescribed = new Set(["POST /graphql"]);

/** Keywords that say nothing about which values are valid. */
const dropped = new Set(["description", "example", "examples", "title", "externalDocs", "deprecated", "default"]);

function fetchDescription(): string {
  const place = mkdtempSync(path.join(tmpdir(), "taskfleet-openapi-"));
  call("npm", ["pack", `@octokit/openapi@${version}`, "--silent"], place);
  call("tar", ["xzf", `octokit-openapi-${version}.tgz`, "package/generated/api.github.com.json"], place);
  return place;
}

function call(program: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(program, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}`);
}

function formatSlice(description: JsonObject): string {
  const needed = new Set<string>();
  const operations = [...Object.keys(OPERATIONS), ...further]
    .filter((route) => !undescribed.has(route))
    .sort()
    .map((route) => [route, cutOperation(description, route, needed)] as const);
  const schemas = new Map<string, Json>();
  // The set grows while it is walked: schemas need schemas.
  for (const name of needed) schemas.set(name, cutSchema(find(description, "components", "schemas", name), needed));
  const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{\n"source": "@octokit/openapi ${version}, api.github.com",\n"operations": ${formatLines(operations)},\n"definitions": ${formatLines(sorted)}\n}\n`;
}

/** One entry a line, so that a difference can be read. */
function formatLines(entries: ReadonlyArray<readonly [string, Json]>): string {
  return `{\n${entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(",\n")}\n}`;
}

function cutOperation(description: JsonObject, route: string, needed: Set<string>): Json {
  const [method = "", template = ""] = route.split(" ");
  const operation = find(description, "paths", template, method.toLowerCase());
  const body = readContent(operation["requestBody"]);
  const answers = Object.entries(object(operation["responses"])).map(([status, answer]) => {
    const schema = readContent(resolve(description, answer));
    return [status, schema === undefined ? null : cutSchema(schema, needed)] as const;
  });
  return {
    ...(body === undefined ? {} : { request: cutSchema(body, needed) }),
    responses: Object.fromEntries(answers),
  };
}

function resolve(description: JsonObject, node: Json): JsonObject {
  const reference = object(node)["$ref"];
  if (typeof reference !== "string") return object(node);
  return find(description, ...reference.replace("#/", "").split("/"));
}

function readContent(node: Json | undefined): Json | undefined {
  if (node === undefined) return undefined;
  const content = object(object(node)["content"] ?? {});
  const json = content["application/json"];
  return json === undefined ? undefined : object(json)["schema"];
}

function cutSchema(node: Json, needed: Set<string>): Json {
  if (Array.isArray(node)) return (node as readonly Json[]).map((part) => cutSchema(part, needed));
  if (typeof node !== "object" || node === null) return node;
  const kept: Record<string, Json> = {};
  for (const [key, value] of Object.entries(node as JsonObject)) {
    if (key === "$ref" && typeof value === "string") {
      const name = value.replace("#/components/schemas/", "");
      needed.add(name);
      kept[key] = `#/definitions/${name}`;
    } else if (key === "properties") {
      // A property may be called `example` or `description`.
      kept[key] = Object.fromEntries(
        Object.entries(object(value)).map(([name, schema]) => [name, cutSchema(schema, needed)]),
      );
    } else if (!dropped.has(key) && !key.startsWith("x-")) {
      kept[key] = cutSchema(value, needed);
    }
  }
  return allowNull(kept);
}

function allowNull(schema: Record<string, Json>): Json {
  const { nullable, ...rest } = schema;
  if (nullable !== true) return rest;
  const { type, enum: values } = rest;
  if (typeof type !== "string") return { anyOf: [rest, { type: "null" }] };
  return {
    ...rest,
    type: [type, "null"],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...(values as readonly Json[]), null] } : {}),
  };
}

function find(node: JsonObject, ...keys: readonly string[]): JsonObject {
  let at: JsonObject = node;
  for (const key of keys) {
    const next = at[key];
    if (next === undefined) throw new Error(`the description has no ${keys.join(" > ")}`);
    at = object(next);
  }
  return at;
}

function object(node: Json | undefined): JsonObject {
  if (typeof node !== "object" || node === null || Array.isArray(node)) throw new Error("expected an object");
  return node as JsonObject;
}

const given = process.argv[2];
const folder = given ?? fetchDescription();
try {
  const text = readFileSync(path.join(folder, "package/generated/api.github.com.json"), "utf8");
  writeFileSync(target, formatSlice(JSON.parse(text) as JsonObject));
  console.log(`${target} written`);
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}
