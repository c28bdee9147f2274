import { describe, expect, it } from "@jest/globals";
import { countSuppressions } from "../../src/floor/count/count-suppressions.ts";

describe("suppressions", () => {
  it.each([
    ["a.js", "// eslint-disable-next-line no-var\nvar a;", 1],
    ["a.js", "/* eslint-disable */\n/* oxlint-disable no-var */", 2],
    ["a.ts", "// @ts-ignore\nx();\n// @ts-expect-error why\ny();\n// @ts-nocheck", 3],
    ["a.ts", "const a = b as any; const c = <any>d; const e = f as unknown as G;", 3],
    ["a.ts", "let a: any; function f(x: unknown) {} type any2 = 1; const g = h as string;", 0],
    ["a.tsx", "const a = <p>{/* c8 ignore next */}{b as any}</p>;", 2],
    ["a.js", "const text = '// eslint-disable'; const re = /eslint-disable/; // about linting", 0],
    ["a.js", "/* istanbul ignore if */ /* v8 ignore next 3 */ /* node:coverage ignore next */", 3],
    [
      "a.py",
      "x = 1  # noqa: E501\ny = z  # type: ignore[attr-defined]\n# pylint: disable=all\nw = 1  # pragma: no cover",
      4,
    ],
    ["a.py", "text = '# noqa'\n# a nocturne quartet", 0],
    ["a.go", '//nolint:errcheck\nfunc f() {}\nvar s = "//nolint"', 1],
    [
      "a.rs",
      '#![allow(unused)]\n#[allow(dead_code)]\nfn f() {}\n#[derive(Debug)]\nstruct S;\nconst T: &str = "#[allow(x)]";',
      2,
    ],
    ["A.java", '@SuppressWarnings("unchecked")\nclass A {} // NOSONAR', 2],
    ["a.sh", "# shellcheck disable=SC2086\necho $x", 1],
    ["a.rb", "x = 1 # rubocop:disable Style/All", 1],
    ["README.md", "Write `// eslint-disable` to silence it.", 0],
  ])("%s %p: %i", (path, text, expected) => {
    expect(countSuppressions(path, text)).toBe(expected);
  });
});
