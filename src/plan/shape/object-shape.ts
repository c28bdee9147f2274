import { formatFound, formatPlace, type PathPart, type ProblemList } from "../problem-list.ts";
import { suggestNearest } from "../suggest-nearest.ts";
import { reportType, type Shape } from "./shape.ts";

export interface ObjectMember {
  readonly key: string;
  readonly shape: Shape;
  readonly required: boolean;
}

/** An object with exactly these members; those not required may be absent. */
export function buildObjectShape(members: readonly ObjectMember[]): Shape {
  return {
    check: (value, path, problems) => {
      if (!isObject(value)) {
        reportType(value, ["object"], path, problems);
        return;
      }
      let known = 0;
      for (const { key, shape, required } of members) {
        const part = value[key];
        if (part !== undefined && Object.hasOwn(value, key)) {
          known += 1;
          path.push(key);
          shape.check(part, path, problems);
          path.pop();
        } else if (required) reportMissing(key, value, path, problems);
      }
      // Counting first spares the usual case, an object without foreign keys, a look-up per key.
      if (Object.keys(value).length !== known) reportForeignKeys(value, members, path, problems);
    },
    prune: (value) => {
      if (!isObject(value)) return undefined;
      const sound: Record<string, unknown> = {};
      for (const { key, shape } of members) {
        const part = Object.hasOwn(value, key) ? shape.prune(value[key]) : undefined;
        if (part !== undefined) sound[key] = part;
      }
      return sound;
    },
  };
}

/** An object whose keys are free. */
export const anyObjectShape: Shape = {
  check: (value, path, problems) => {
    if (!isObject(value)) reportType(value, ["object"], path, problems);
  },
  prune: (value) => (isObject(value) ? value : undefined),
};

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function reportMissing(key: string, value: Record<string, unknown>, path: PathPart[], problems: ProblemList): void {
  const place = path.length === 0 ? "" : ` of ${formatPlace(path)}`;
  const keys = Object.keys(value);
  const found =
    keys.length === 0 ? "an object without keys" : `an object with ${keys.slice(0, 12).map(formatFound).join(", ")}`;
  problems.add(path, "required", {
    message: `the key ${JSON.stringify(key)}${place} is missing`,
    found,
    allowed: `the key ${JSON.stringify(key)}`,
  });
}

function reportForeignKeys(
  value: Record<string, unknown>,
  members: readonly ObjectMember[],
  path: PathPart[],
  problems: ProblemList,
): void {
  const names = members.map((member) => member.key);
  for (const key of Object.keys(value)) {
    if (names.includes(key)) continue;
    const place = formatPlace(path);
    const unused = names.filter((name) => !Object.hasOwn(value, name));
    const hint = suggestNearest(key, unused);
    const found = formatFound(key);
    path.push(key);
    problems.add(path, "unknown-key", {
      message: `${place} has no key ${found}${hint}`,
      found,
      allowed: names.join(", "),
    });
    path.pop();
  }
}
