import { formatFound, type ProblemList } from "../problem-list.ts";
import { isObject } from "../shape/object-shape.ts";

const supported = 3;

/**
 * The version gate. Whoever reads a document of another major must not judge it by these rules, so
 * a problem here stands alone.
 */
export function checkVersion(document: unknown, problems: ProblemList): void {
  if (!isObject(document)) return;
  const allowed = String(supported);
  if (!Object.hasOwn(document, "schema_version")) {
    const message = `the key "schema_version" is missing; this reader knows plans of version ${supported}`;
    problems.add([], "version-missing", {
      message,
      found: "no schema_version",
      allowed: `"schema_version": ${supported}`,
    });
    return;
  }
  const version = document["schema_version"];
  const found = formatFound(version);
  if (typeof version !== "number" || !Number.isInteger(version)) {
    const message = `schema_version must be the whole number ${supported}, not ${found}`;
    problems.add(["schema_version"], "version-type", { message, found, allowed });
  } else if (version !== supported) {
    const message = `schema_version ${found} is not supported; this reader knows version ${supported}${hintAt(version)}`;
    problems.add(["schema_version"], "version-unsupported", { message, found, allowed });
  }
}

function hintAt(version: number): string {
  if (version === 1 || version === 2) {
    return `. Version ${version} plans lack a proven baseline: have the plan written anew, with baseline.commit_oid, toolchain and enumerated_targets_hash`;
  }
  return version > supported ? ". It was written by a newer Taskfleet: update this one" : "";
}
