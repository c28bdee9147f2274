import { HttpProblem, unprocessable } from "../http-problem.ts";
import type { ApiContext } from "./api-context.ts";

/** GitHub's sentence for a parameter of the wrong kind. */
function wrongType(name: string, value: unknown, expected: string): HttpProblem {
  return unprocessable(`Invalid request.\n\nFor 'properties/${name}', ${JSON.stringify(value)} is not ${expected}.`);
}

/** A JSON request body whose fields are asked for by name and type. */
export class Body {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = fields;
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined;
  }

  raw(name: string): unknown {
    return this.#fields[name];
  }

  string(name: string): string {
    const value = this.optionalString(name);
    if (value === null) throw unprocessable(`Invalid request.\n\n"${name}" wasn't supplied.`);
    return value;
  }

  /** Absent and null are the same. */
  optionalString(name: string): string | null {
    const value = this.#fields[name];
    if (value === undefined || value === null) return null;
    if (typeof value !== "string") throw wrongType(name, value, "a string");
    return value;
  }

  optionalNumber(name: string): number | null {
    const value = this.#fields[name];
    if (value === undefined || value === null) return null;
    if (typeof value !== "number") throw wrongType(name, value, "an integer");
    return value;
  }

  flag(name: string): boolean {
    const value = this.#fields[name];
    if (value === undefined || value === null) return false;
    if (typeof value === "boolean") return value;
    throw wrongType(name, value, "a boolean");
  }

  /** One of the allowed words, or null when absent. */
  optionalChoice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | null {
    const value = this.optionalString(name);
    if (value === null) return null;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) {
      throw unprocessable(
        `Invalid request.\n\nFor 'properties/${name}', ${value} is not a member of ${JSON.stringify(choices)}.`,
      );
    }
    return found;
  }

  optionalObject(name: string): Body | null {
    const value = this.#fields[name];
    if (value === undefined || value === null) return null;
    if (typeof value !== "object" || Array.isArray(value)) throw wrongType(name, value, "an object");
    return new Body(value as Record<string, unknown>);
  }

  /** The objects of an array, or null when absent. */
  optionalObjects(name: string): Body[] | null {
    const value = this.#fields[name];
    if (value === undefined || value === null) return null;
    if (!Array.isArray(value)) throw wrongType(name, value, "an array");
    return value.map((item: unknown) => {
      if (typeof item !== "object" || item === null) throw wrongType(name, item, "an object");
      return new Body(item as Record<string, unknown>);
    });
  }

  optionalStrings(name: string): string[] | null {
    const value = this.#fields[name];
    if (value === undefined || value === null) return null;
    if (!Array.isArray(value)) throw wrongType(name, value, "an array");
    return value.map((item: unknown) => {
      if (typeof item !== "string") throw wrongType(name, item, "a string");
      return item;
    });
  }
}

/** Parses the request's JSON; no body at all is an empty object. */
export async function readBody(c: ApiContext): Promise<Body> {
  const text = await c.req.text();
  if (text.trim() === "") return new Body({});
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpProblem(400, "Problems parsing JSON");
  }
  if (Array.isArray(value)) return new Body({ items: value });
  if (typeof value !== "object" || value === null) throw new HttpProblem(400, "Body should be a JSON object");
  return new Body(value as Record<string, unknown>);
}

/** Bodies of issues, pull requests and comments. */
export const MAX_BODY_CHARACTERS = 65_536;

/** Titles of issues and pull requests. https://github.com/googleapis/repo-automation-bots/issues/1895 */
export const MAX_TITLE_CHARACTERS = 256;
