import { describe, expect, it } from "@jest/globals";
import { configSchema } from "../../src/contracts/config.ts";
import { detectFloor } from "../../src/floor/detect.ts";
import { deriveFloorConfig, listUnguardedGates } from "../../src/floor/effective-config.ts";

function detect(files: Readonly<Record<string, string>>): ReturnType<typeof detectFloor> {
  return detectFloor(Object.keys(files), (path) => files[path] ?? null);
}

const manifest = (value: object): string => JSON.stringify(value);
const dev = (...names: readonly string[]): string =>
  manifest({ devDependencies: Object.fromEntries(names.map((name) => [name, "1"])) });

describe("detection", () => {
  it.each<[string, Readonly<Record<string, string>>, string | undefined, string | undefined]>([
    [
      "vitest with pnpm",
      { "package.json": dev("vitest"), "pnpm-lock.yaml": "" },
      "vitest run",
      "pnpm install --frozen-lockfile",
    ],
    ["jest with npm", { "package.json": dev("jest"), "package-lock.json": "" }, "jest --ci --json", "npm ci"],
    [
      "mocha with yarn",
      { "package.json": dev("mocha"), "yarn.lock": "" },
      "mocha --reporter xunit",
      "yarn install --frozen-lockfile",
    ],
    [
      "yarn of today",
      { "package.json": dev("jest"), "yarn.lock": "", ".yarnrc.yml": "" },
      "jest",
      "yarn install --immutable",
    ],
    ["node:test by script", { "package.json": manifest({ scripts: { test: "node --test" } }) }, "npm test", undefined],
    ["node:test by files", { "package.json": "{}", "test/a.js": "" }, "node --test", undefined],
    [
      "pytest",
      { "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests"]' },
      "python3 -m pytest",
      undefined,
    ],
    ["unittest", { "setup.py": "", "tests/test_a.py": "" }, "unittest", undefined],
    ["Go", { "go.mod": "module x" }, "go test -count=1 -json", undefined],
    ["cargo", { "Cargo.toml": "[package]" }, "cargo test", undefined],
    [
      "nextest",
      { "Cargo.toml": "", ".config/nextest.toml": "[profile.ci.junit]\npath = 'junit.xml'" },
      "cargo nextest run",
      undefined,
    ],
    ["Maven", { "pom.xml": "" }, "mvn -B", undefined],
    ["Gradle", { "build.gradle.kts": "", gradlew: "" }, "./gradlew", undefined],
    [
      "a script that could be anything",
      { "package.json": manifest({ scripts: { test: "make check" } }) },
      undefined,
      undefined,
    ],
    ["nothing at all", { "README.md": "" }, undefined, undefined],
  ])("finds %s", (_, files, test, setup) => {
    const found = detect(files);
    if (test === undefined) expect(found.test).toBeUndefined();
    else expect(found.test?.command).toContain(test);
    if (setup === undefined) expect(found.setup).toBeUndefined();
    else expect(found.setup?.command).toContain(setup);
    // What is detected must be a valid configuration.
    expect(() => configSchema.parse({ floor: found })).not.toThrow();
  });

  it("finds type checks and linters beside the tests", () => {
    const found = detect({
      "package.json": dev("typescript", "eslint", "vitest"),
      "tsconfig.json": "{}",
      "eslint.config.js": "",
    });
    expect(found.typecheck?.command).toContain("tsc --noEmit");
    expect(found.lint).toMatchObject({ format: "eslint-json", report: ".taskfleet-lint.json" });
  });

  it("gives way to the configuration, command by command", () => {
    const config = configSchema.parse({
      floor: { test: { command: "make check", report: "out.xml", format: "junit" } },
    }).floor;
    const merged = deriveFloorConfig(
      config,
      detect({ "package.json": dev("jest", "typescript"), "tsconfig.json": "{}" }),
    );
    expect(merged.test?.command).toBe("make check");
    expect(merged.typecheck?.command).toContain("tsc");
  });

  it("survives a manifest that is broken", () => {
    expect(detect({ "package.json": "{" }).test).toBeUndefined();
  });
});

describe("gates that guard nothing", () => {
  it("are named, so that a person approves", () => {
    expect(listUnguardedGates(configSchema.parse({}).floor)).toEqual([0, 2, 3, 4]);
    const floor = {
      test: { command: "x", report: "-", format: "tap" },
      lint: { command: "x", report: "-", format: "lines" },
    };
    expect(listUnguardedGates(configSchema.parse({ floor }).floor)).toEqual([]);
  });
});
