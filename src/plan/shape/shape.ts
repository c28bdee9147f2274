import { formatFound, formatPlace, type PathPart, type ProblemList } from "../problem-list.ts";
import { describeTypes, type JsonType } from "./json-schema.ts";

/**
 * A compiled schema. `check` reports everything that is wrong at or below a value; `path` is the
 * caller's stack and is the same again afterwards. `prune` keeps what is sound, so that the rules
 * behind the shape can still be checked on it: `undefined` where the value itself is unusable.
 */
export interface Shape {
  readonly check: (value: unknown, path: PathPart[], problems: ProblemList) => void;
  readonly prune: (value: unknown) => unknown;
}

export function reportType(value: unknown, types: readonly JsonType[], path: PathPart[], problems: ProblemList): void {
  const allowed = describeTypes(types);
  const found = formatFound(value);
  problems.add(path, "type", { message: `${formatPlace(path)} must be ${allowed}, not ${found}`, found, allowed });
}
