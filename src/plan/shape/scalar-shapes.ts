import { isBlank } from "../../contracts/blank.ts";
import { formatFound, formatPlace, type PathPart, type ProblemList } from "../problem-list.ts";
import { suggestNearest } from "../suggest-nearest.ts";
import type { JsonSchema } from "./json-schema.ts";
import { reportType, type Shape } from "./shape.ts";

/**
 * Strings. `minLength: 1` is read as "not blank": white space, control and format characters alone
 * say nothing, which a JSON Schema cannot tell.
 */
export function compileString(schema: JsonSchema): Shape {
  const notBlank = (schema.minLength ?? 0) > 0;
  const pattern = schema.pattern === undefined ? null : new RegExp(schema.pattern, "u");
  const options = schema.enum ?? null;
  return {
    check: (value, path, problems) => {
      if (typeof value !== "string") reportType(value, ["string"], path, problems);
      else if (notBlank && isBlank(value)) reportBlank(value, path, problems);
      else if (options !== null && !options.includes(value)) reportOption(value, options, path, problems);
      else if (pattern !== null && !pattern.test(value)) {
        const allowed = `text that matches ${schema.pattern}`;
        const found = formatFound(value);
        problems.add(path, "pattern", {
          message: `${formatPlace(path)} is ${found}; it must match ${schema.pattern}`,
          found,
          allowed,
        });
      }
    },
    // A string that misses its pattern stays: others may refer to it.
    prune: (value) => {
      if (typeof value !== "string" || (notBlank && isBlank(value))) return undefined;
      return options !== null && !options.includes(value) ? undefined : value;
    },
  };
}

function reportBlank(value: string, path: PathPart[], problems: ProblemList): void {
  const state = value === "" ? "empty" : "blank";
  problems.add(path, "blank", {
    message: `${formatPlace(path)} is ${state}; it must say something`,
    found: formatFound(value),
    allowed: "text with at least one visible character",
  });
}

function reportOption(value: string, options: readonly string[], path: PathPart[], problems: ProblemList): void {
  const allowed = options.join(", ");
  const found = formatFound(value);
  const hint = suggestNearest(value, options);
  problems.add(path, "enum", {
    message: `${formatPlace(path)} is ${found}; it must be one of ${allowed}${hint}`,
    found,
    allowed,
  });
}

/** Whole numbers as `JSON.parse` yields them (`3.0` is 3), up to 2^53 - 1: beyond, digits get lost. */
export function compileInteger(schema: JsonSchema): Shape {
  const minimum = schema.minimum ?? Number.MIN_SAFE_INTEGER;
  const maximum = schema.maximum ?? Number.MAX_SAFE_INTEGER;
  return {
    check: (value, path, problems) => {
      if (typeof value !== "number" || !Number.isInteger(value)) {
        reportType(value, ["integer"], path, problems);
        return;
      }
      if (value >= minimum && value <= maximum) return;
      const allowed = `${minimum} to ${maximum}`;
      const found = formatFound(value);
      problems.add(path, "range", {
        message: `${formatPlace(path)} is ${found}; it must be ${allowed}`,
        found,
        allowed,
      });
    },
    prune: (value) => (typeof value === "number" && Number.isInteger(value) ? value : undefined),
  };
}

export const booleanShape: Shape = {
  check: (value, path, problems) => {
    if (typeof value !== "boolean") reportType(value, ["boolean"], path, problems);
  },
  prune: (value) => (typeof value === "boolean" ? value : undefined),
};

export const nullShape: Shape = {
  check: (value, path, problems) => {
    if (value !== null) reportType(value, ["null"], path, problems);
  },
  prune: (value) => (value === null ? null : undefined),
};

export function compileConst(expected: string | number): Shape {
  const allowed = formatFound(expected);
  return {
    check: (value, path, problems) => {
      if (value === expected) return;
      const found = formatFound(value);
      problems.add(path, "const", {
        message: `${formatPlace(path)} is ${found}; it must be ${allowed}`,
        found,
        allowed,
      });
    },
    prune: (value) => (value === expected ? value : undefined),
  };
}
