import { formatFound, formatPlace } from "../problem-list.ts";
import { suggestNearest } from "../suggest-nearest.ts";
import { findJsonType, type JsonType } from "./json-schema.ts";
import { isObject } from "./object-shape.ts";
import { reportType, type Shape } from "./shape.ts";

/** A value of one of several JSON types, each with its own shape. */
export function buildTypeUnion(shapes: ReadonlyMap<JsonType, Shape>): Shape {
  const types = [...shapes.keys()];
  const find = (value: unknown): Shape | undefined => shapes.get(findJsonType(value) as JsonType);
  return {
    check: (value, path, problems) => {
      const shape = find(value);
      if (shape === undefined) reportType(value, types, path, problems);
      else shape.check(value, path, problems);
    },
    prune: (value) => find(value)?.prune(value),
  };
}

/**
 * Objects told apart by the value of one key. The key decides first, so that a mistake elsewhere is
 * reported as what it is and not as "matches none of the alternatives".
 */
export function buildTaggedUnion(tag: string, shapes: ReadonlyMap<string, Shape>): Shape {
  const tags = [...shapes.keys()];
  const allowed = tags.join(", ");
  const find = (value: Record<string, unknown>): Shape | undefined =>
    Object.hasOwn(value, tag) ? shapes.get(value[tag] as string) : undefined;
  return {
    check: (value, path, problems) => {
      if (!isObject(value)) {
        reportType(value, ["object"], path, problems);
        return;
      }
      const shape = find(value);
      if (shape !== undefined) {
        shape.check(value, path, problems);
        return;
      }
      if (!Object.hasOwn(value, tag)) {
        const message = `the key ${JSON.stringify(tag)} of ${formatPlace(path)} is missing; it must be one of ${allowed}`;
        problems.add(path, "required", {
          message,
          found: formatFound(value),
          allowed: `the key ${JSON.stringify(tag)}: ${allowed}`,
        });
        return;
      }
      const found = formatFound(value[tag]);
      const hint = typeof value[tag] === "string" ? suggestNearest(value[tag], tags) : "";
      path.push(tag);
      problems.add(path, "enum", {
        message: `${formatPlace(path)} is ${found}; it must be one of ${allowed}${hint}`,
        found,
        allowed,
      });
      path.pop();
    },
    prune: (value) => (isObject(value) ? find(value)?.prune(value) : undefined),
  };
}
