/** Which files hold tests: for `requires_tests`, assertion counts and a reviewer's test evidence. */
import picomatch from "picomatch";

/** Where tests live by the conventions of each ecosystem; used when the configuration names no globs. */
export const DEFAULT_TEST_FILES: readonly string[] = [
  // JavaScript, TypeScript
  "**/*.{test,spec}.{js,jsx,mjs,cjs,ts,tsx,mts,cts,vue,svelte}",
  "**/__tests__/**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}",
  "**/{test,tests,spec,e2e}/**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,py,rb,php,rs,java,kt,kts,scala,cs,swift,ex,exs,dart,lua,c,cc,cpp}",
  "**/test.{js,mjs,cjs,ts,mts,cts}",
  "**/test-*.{js,mjs,cjs,ts,mts,cts}",
  "**/*-test.{js,mjs,cjs,ts,mts,cts}",
  "**/*_test.{js,mjs,cjs,ts,mts,cts}",
  // Python
  "**/test_*.py",
  "**/*_test.py",
  // Go
  "**/*_test.go",
  // Rust keeps unit tests beside the code; only files named so count
  "**/{tests,test}.rs",
  "**/*_test.rs",
  // JVM
  "**/src/{test,integrationTest,androidTest}/**/*.{java,kt,kts,scala,groovy}",
  "**/*{Test,Tests,IT,Spec}.{java,kt,scala,groovy}",
  // .NET, Ruby, PHP, Swift, Elixir, Dart
  "**/*{Test,Tests}.{cs,fs,swift,php}",
  "**/*_{spec,test}.rb",
  "**/*_test.{exs,dart}",
  // shell
  "**/*.bats",
];

const options = { dot: true, nonegate: true } as const;
const compiled = new Map<string, (path: string) => boolean>();

/**
 * Whether a repository path is a test file.
 * @param patterns the configuration's `floor.tests.files`; empty = the defaults. A path that a
 * pattern names literally always matches: `app/[id]/page.test.ts` is no character class then.
 */
export function isTestFile(path: string, patterns: readonly string[] = []): boolean {
  if (patterns.length === 0) return DEFAULT_TEST_FILES.some((pattern) => matches(pattern, path));
  return patterns.some((pattern) => pattern === path || matches(pattern, path));
}

function matches(pattern: string, path: string): boolean {
  let matcher = compiled.get(pattern);
  if (matcher === undefined) {
    matcher = picomatch(pattern, options);
    compiled.set(pattern, matcher);
  }
  return matcher(path);
}
