import type { TestCase } from "../contracts/captures.ts";
import { isTestFile } from "../contracts/test-files.ts";

export type TestFileMatcher = (path: string) => boolean;

/** @param patterns globs of the configuration (`floor.tests.files`); empty = the conventions. */
export function buildTestFileMatcher(patterns: readonly string[]): TestFileMatcher {
  return (path) => isTestFile(path, patterns);
}

const pathLike = /[/\\]|\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|t|bats)$/u;

/**
 * The repository file a test stands in, when its report says so: the case's own path, a target that
 * is a path, or one of `files` that ends with the class's dotted name (surefire, pytest).
 */
export function deriveTestFile(test: TestCase, files: readonly string[]): string | null {
  if (test.path !== undefined) return test.path;
  if (pathLike.test(test.target)) return test.target;
  const parts = test.target.split(".");
  for (let length = parts.length; length > 0; length -= 1) {
    const stem = parts.slice(0, length).join("/");
    if (stem === "") continue;
    const found = files.find((file) => withoutExtension(file) === stem || withoutExtension(file).endsWith(`/${stem}`));
    if (found !== undefined) return found;
  }
  return null;
}

function withoutExtension(path: string): string {
  return path.replace(/\.[A-Za-z0-9]+$/u, "");
}
