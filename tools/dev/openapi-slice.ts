/**
 * `node tools/dev/openapi-slice.ts [folder]`: cuts GitHub's own API description down to the operations
 * the App uses and writes test/fixtures/github-openapi.json. The description (385 MB unpacked) is
 * fetched by npm into a temporary folder, or read from a folder that holds the unpacked package.
 *
 * What is kept per operation: the schema of the request's body and of each answer. Schemas become plain
 * JSON Schema (OpenAPI 3.0 says `nullable`); descriptions and examples go.
 */
import { writeFileSync } from "node:fs";
import { OPERATIONS } from "../../src/github/operations.ts";
import { FURTHER, UNDESCRIBED } from "../../test/github/api-routes.ts";
import {
  cutSchema,
  cutSchemas,
  find,
  formatLines,
  type Json,
  type JsonObject,
  object,
  readContent,
  readDescription,
} from "./cut-description.ts";

const version = "23.0.2";
const target = "test/fixtures/github-openapi.json";

function formatSlice(description: JsonObject): string {
  const needed = new Set<string>();
  const operations = [...Object.keys(OPERATIONS), ...Object.keys(FURTHER)]
    .filter((route) => !Object.hasOwn(UNDESCRIBED, route))
    .sort()
    .map((route) => [route, cutOperation(description, route, needed)] as const);
  return `{\n"source": "@octokit/openapi ${version}, api.github.com",\n"operations": ${formatLines(operations)},\n"definitions": ${formatLines(cutSchemas(description, needed))}\n}\n`;
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

const description = readDescription(process.argv[2], "openapi", version);
writeFileSync(target, formatSlice(description));
console.log(`${target} written`);
