/** Holds what goes over the wire against GitHub's own description of its API (tools/dev/openapi-slice.ts). */
import { Ajv, type ValidateFunction } from "ajv";
import { readFileSync } from "node:fs";

interface Operation {
  readonly request?: object;
  readonly responses: Readonly<Record<string, object | null>>;
}

interface Slice {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly definitions: Readonly<Record<string, object>>;
}

/**
 * The description is of API version 2022-11-28; 2026-03-10 has no longer these fields
 * (docs.github.com/en/rest/about-the-rest-api/breaking-changes).
 */
const gone = new Set(["merge_commit_sha", "has_downloads", "assignee"]);

/**
 * Where the description is wrong: an installation's account there is a user and an enterprise at once, where
 * `GET /app/installations/{installation_id}` says one or the other.
 */
const misdescribed = [{ key: "GET /app/installations answers 200", place: /^\/\d+\/account$/u }];

export interface Exchange {
  readonly method: string;
  /** Below the API's root. */
  readonly path: string;
  readonly sent: unknown;
  readonly status: number;
  readonly received: unknown;
}

export interface OpenApi {
  readonly routes: readonly string[];
  /** Which of them an exchange is of, or null. */
  readonly findRoute: (exchange: Pick<Exchange, "method" | "path">) => string | null;
  /** One sentence per thing in the exchange that GitHub's description does not allow; null for an unknown route. */
  readonly findProblems: (exchange: Exchange) => readonly string[] | null;
}

export function loadOpenApi(): OpenApi {
  const slice = JSON.parse(readFileSync("test/fixtures/github-openapi.json", "utf8")) as Slice;
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: "github", definitions: slice.definitions });
  const compiled = new Map<string, ValidateFunction>();
  const routes = Object.keys(slice.operations).map((route) => ({ route, pattern: buildPattern(route) }));

  function check(key: string, schema: object, value: unknown): readonly string[] {
    const validate = compiled.get(key) ?? ajv.compile(pointAt(schema));
    compiled.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? [])
      .filter((error) => !(error.keyword === "required" && gone.has(String(error.params["missingProperty"]))))
      .filter((error) => !misdescribed.some((one) => one.key === key && one.place.test(error.instancePath)))
      .map((error) => `${key} ${error.instancePath || "/"} ${error.message ?? ""}`);
  }

  const findRoute: OpenApi["findRoute"] = ({ method, path }) =>
    routes.find(({ pattern }) => pattern.test(`${method} ${path}`))?.route ?? null;

  return {
    routes: routes.map(({ route }) => route),
    findRoute,
    findProblems({ method, path, sent, status, received }) {
      const route = findRoute({ method, path });
      const operation = route === null ? undefined : slice.operations[route];
      if (route === null || operation === undefined) return null;
      const problems: string[] = [];
      if (operation.request !== undefined && sent !== undefined) {
        problems.push(...check(`${route} sends`, operation.request, sent));
      }
      const schema = operation.responses[String(status)];
      if (schema !== null && schema !== undefined) {
        problems.push(...check(`${route} answers ${status}`, schema, received));
        // Every read may be answered so; the description says it of few.
      } else if (schema === undefined && status < 400 && status !== 304) {
        problems.push(`${route} answers ${status}, which is not described`);
      }
      return problems;
    },
  };
}

/** References point into the slice. */
function pointAt(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', '"github#/definitions/')) as object;
}

function buildPattern(route: string): RegExp {
  const source = route
    .replaceAll(/[.*+?^$()|[\]\\]/gu, String.raw`\$&`)
    .replaceAll(/\{(path|basehead)\}/gu, ".+")
    .replaceAll(/\{[a-z_]+\}/gu, "[^/]+");
  return new RegExp(`^${source}$`, "u");
}
