/** What is cut out of GitHub's own descriptions of its API and its webhooks: plain JSON Schema, and no prose. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = Readonly<Record<string, Json>>;

/** Keywords that say nothing about which values are valid. */
const dropped = new Set(["description", "example", "examples", "title", "externalDocs", "deprecated", "default"]);

/**
 * @param given a folder that holds the unpacked package; without it npm fetches it into a temporary one.
 * @returns the description of api.github.com in this package.
 */
export function readDescription(given: string | undefined, name: string, version: string): JsonObject {
  const folder = given ?? fetchDescription(name, version);
  try {
    return JSON.parse(readFileSync(path.join(folder, "package/generated/api.github.com.json"), "utf8")) as JsonObject;
  } finally {
    if (given === undefined) rmSync(folder, { recursive: true });
  }
}

function fetchDescription(name: string, version: string): string {
  const place = mkdtempSync(path.join(tmpdir(), "taskfleet-openapi-"));
  call("npm", ["pack", `@octokit/${name}@${version}`, "--silent"], place);
  call("tar", ["xzf", `octokit-${name}-${version}.tgz`, "package/generated/api.github.com.json"], place);
  return place;
}

function call(program: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(program, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}`);
}

/** One entry a line, so that a difference can be read. */
export function formatLines(entries: ReadonlyArray<readonly [string, Json]>): string {
  return `{\n${entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(",\n")}\n}`;
}

export function readContent(node: Json | undefined): Json | undefined {
  if (node === undefined) return undefined;
  const content = object(object(node)["content"] ?? {});
  const json = content["application/json"];
  return json === undefined ? undefined : object(json)["schema"];
}

/** The schemas that are needed, and those that they need, by name. */
export function cutSchemas(description: JsonObject, needed: Set<string>): ReadonlyArray<readonly [string, Json]> {
  const schemas = new Map<string, Json>();
  // The set grows while it is walked: schemas need schemas.
  for (const name of needed) schemas.set(name, cutSchema(find(description, "components", "schemas", name), needed));
  return [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
}

export function cutSchema(node: Json, needed: Set<string>): Json {
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

export function find(node: JsonObject, ...keys: readonly string[]): JsonObject {
  let at: JsonObject = node;
  for (const key of keys) {
    const next = at[key];
    if (next === undefined) throw new Error(`the description has no ${keys.join(" > ")}`);
    at = object(next);
  }
  return at;
}

export function object(node: Json | undefined): JsonObject {
  if (typeof node !== "object" || node === null || Array.isArray(node)) throw new Error("expected an object");
  return node as JsonObject;
}
