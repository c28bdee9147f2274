import { describe, expect, it } from "@jest/globals";
import { isDependencyFile } from "../../src/floor/dependency-files.ts";
import { buildProtectedPathFinder, isNeverAllowed } from "../../src/floor/protected-paths.ts";

const find = buildProtectedPathFinder(["db/**"]);

const validation = `
  package.json packages/web/package.json tsconfig.json tsconfig.base.json tsconfig-build.json jsconfig.json
  jest.config.js jest.config.unit.ts jest.unit.config.mjs jest.preset.js vitest.config.ts vitest.e2e.config.ts
  vitest.workspace.ts karma.conf.js karma.conf.cjs wdio.conf.ts wdio.ci.conf.js wdio.config.js protractor.conf.js
  nightwatch.conf.js codecept.conf.ts cypress.json bunfig.toml .mocharc.cjs test/mocha.opts .ava.config.js
  spec/support/jasmine.json spec/support/jasmine.mjs node.config.json project.json apps/web/project.json
  gulpfile.js Gruntfile.js angular.json .eslintrc.json eslint.config.js eslint.config.base.js .npmrc
  pyproject.toml pytest.toml .pytest.toml tox.toml hatch.toml ty.toml .coveragerc conftest.py tests/conftest.py
  Cargo.toml .config/nextest.toml tarpaulin.toml go.work
  build.gradle gradle/tests.gradle.kts buildSrc/src/main/kotlin/test.kt build.xml build.sbt mix.exs
  Taskfile.yml Taskfile.yaml taskfile.dist.yml Makefile tools/test.mk justfile .justfile .mise.toml mise.toml Earthfile
  .bazelrc BUILD BUILD.bazel WORKSPACE.bazel Directory.Build.props test.runsettings
`;

const dependency = `
  package-lock.json web/package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock
  .pnp.cjs .yarn/releases/yarn-4.9.0.cjs .yarn/patches/jest.patch patches/jest+29.7.0.patch
  node_modules/jest/index.js
  requirements.txt requirements-dev.txt dev-requirements.txt requirements_test.in requirements/test.txt constraints.txt
  Pipfile Pipfile.lock poetry.lock poetry.toml uv.lock pdm.lock pylock.toml pylock.ci.toml pixi.toml pixi.lock
  environment.yml pip.conf lib/site-packages/pytest.py
  go.mod go.sum tools/go.mod go.work.sum vendor/modules.txt
  Cargo.lock
  gradle.lockfile gradle/verification-metadata.xml gradle/libs.versions.toml gradle/test.versions.toml
  Gemfile Gemfile.lock gems.rb gems.locked x.gemspec .bundle/config composer.json composer.lock
  packages.lock.json Directory.Packages.props nuget.config NuGet.Config packages.config src/app.csproj
  Package.swift Package.resolved mix.lock pubspec.yaml pubspec.lock flake.nix flake.lock MODULE.bazel.lock Podfile.lock
`;

const ordinary = `
  src/index.ts src/package.ts src/lock.ts src/yarn.lock.ts src/requirements.py docs/requirements.md lib/vendor/invoice.js
  src/project.ts src/karma.ts test/cart.test.js src/config.ts data/environment.json src/modules.txt patches/README.md
  lib/go.mod.ts src/Gemfile.rb docs/Makefile.md src/build.ts app/gulp.js src/node_modules.ts
`;

const words = (list: string): readonly string[] => list.trim().split(/\s+/u);

describe("a protected file", () => {
  it.each(words(validation))("%s decides what is validated", (path) => {
    expect(find(path)?.kind).toBe("validation");
  });

  it.each(words(dependency).filter((path) => !path.startsWith("gradle/libs")))(
    "%s decides what is installed",
    (path) => {
      expect(find(path)?.kind).toBe("dependency");
      expect(isDependencyFile(path)).toBe(true);
      expect(isNeverAllowed(path)).toBe(false);
    },
  );

  it("is one by its name in any letters, in any folder", () => {
    expect(find("apps/shop/PACKAGE-LOCK.JSON")?.kind).toBe("dependency");
    expect(find("Go.Mod")?.kind).toBe("dependency");
  });

  it("is what the configuration makes it before it is a mere dependency", () => {
    const configured = buildProtectedPathFinder(["**/*.lock"]);
    expect(configured("Gemfile.lock")?.kind).toBe("configured");
    expect(configured("go.sum")?.kind).toBe("dependency");
  });

  it.each(words(ordinary))("%s is none", (path) => {
    expect(find(path)).toBeNull();
  });

  it.each(["package.json", "pyproject.toml", "setup.py", "Cargo.toml", "pom.xml", "build.gradle"])(
    "%s decides what is validated and says which dependencies there are",
    (path) => {
      expect(find(path)?.kind).toBe("validation");
      expect(isDependencyFile(path)).toBe(true);
    },
  );
});
