import picomatch from "picomatch";
import type { TestCase } from "../contracts/captures.ts";

/** Test files by convention, where the configuration names none (`floor.tests.files`). */
export const DEFAULT_TEST_FILES: readonly string[] = [
  // JavaScript and TypeScript: node:test, jest, vitest, mocha
  "**/*.{test,spec}.{js,cjs,mjs,jsx,ts,cts,mts,tsx}",
  "**/{test,tests,__tests__}/**/*.{js,cjs,mjs,jsx,ts,cts,mts,tsx}",
  "**/{*-test,*_test,test-*}.{js,cjs,mjs,ts,cts,mts}",
  "**/test.{js,cjs,mjs,ts,cts,mts}",
  // Python: pytest, unittest
  "**/test_*.py",
  "**/*_test.py",
  "**/tests/**/*.py",
  "**/tests.py",
  // Go, Rust
  "**/*_test.go",
  "**/tests/**/*.rs",
  "**/tests.rs",
  // JVM
  "**/src/*[tT]est*/**/*.{java,kt,kts,groovy,scala}",
  "**/{Test*,*Test,*Tests,*IT}.{java,kt,groovy,scala}",
  // Ruby, PHP, C#, Perl, shell
  "**/*_{test,spec}.rb",
  "**/*Test.php",
  "**/*{Test,Tests}.cs",
  "**/t/**/*.t",
  "**/*.bats",
];

export type TestFileMatcher = (path: string) => boolean;

/** @param patterns globs of the configuration; empty = the conventions above. */
export function buildTestFileMatcher(patterns: readonly string[]): TestFileMatcher {
  const globs = patterns.length > 0 ? patterns : DEFAULT_TEST_FILES;
  // A pattern that is a path is that path first: brackets in `app/[id]/page.test.tsx` are names.
  const literal = new Set(globs);
  const match = picomatch([...globs], { dot: true });
  return (path) => literal.has(path) || match(path);
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
