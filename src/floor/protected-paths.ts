/**
 * Files that decide whether work counts as good, or that run without being asked: they never change
 * unnoticed. All but the first kind a plan may declare, and people approve that plan.
 */
import picomatch from "picomatch";
import { DEPENDENCY_GLOBS } from "./dependency-files.ts";

export type ProtectedKind = "forge" | "agent" | "validation" | "dependency" | "configured";

interface ProtectedRule {
  readonly kind: ProtectedKind;
  readonly globs: readonly string[];
}

/** What the forge itself obeys. Workflows also need a permission that the App never asks for. */
const forge: ProtectedRule = {
  kind: "forge",
  globs: [
    ".github/workflows/**",
    ".github/actions/**",
    ".github/taskfleet.{yml,yaml}",
    ".github/{dependabot,codeql-config}.{yml,yaml}",
    ".taskfleet/**",
    "**/.gitmodules",
    "**/.gitattributes",
    "{,.github/,docs/}CODEOWNERS",
    ".gitlab-ci.yml",
    ".circleci/**",
    ".travis.yml",
    ".drone.yml",
    ".buildkite/**",
    ".woodpecker{,.yml,/**}",
    ".ci/**",
    "Jenkinsfile",
    "azure-pipelines.{yml,yaml}",
    "bitbucket-pipelines.yml",
    "appveyor.yml",
  ],
};

/** What an agent or an editor reads and obeys before anybody looks at it. */
const agent: ProtectedRule = {
  kind: "agent",
  globs: [
    "**/{CLAUDE,CLAUDE.local,AGENTS,AGENT,GEMINI,CODEX}.md",
    "**/.{claude,codex,gemini,opencode,cursor,windsurf,aider,roo,kiro,continue,amazonq}{,/**}",
    "**/.mcp.json",
    "**/.aider.conf.yml",
    "**/.{cursorrules,windsurfrules,clinerules}{,/**}",
    "**/opencode.{json,jsonc}",
    ".github/copilot-instructions.md",
    ".github/{instructions,prompts,chatmodes,agents}/**",
    "**/.vscode/**",
    "**/.devcontainer{,.json,/**}",
    "**/.idea/**",
    "**/.envrc",
  ],
};

/** What decides which tests, lints, types and thresholds count, and what a build runs. */
const validation: ProtectedRule = {
  kind: "validation",
  globs: [
    // JavaScript
    "**/package.json",
    "**/{,.}{jest,vitest,vite,playwright,cypress,karma,ava,wdio,protractor,nightwatch,codecept,babel,webpack,rspack,rollup,rolldown,esbuild,tsup,tsdown}{,.*}.{config,conf}{,.*}.{js,cjs,mjs,ts,cts,mts,json}",
    "**/jest.preset.{js,cjs,mjs,ts,json}",
    "**/{cypress,project,angular,node.config}.json",
    "**/jasmine.{js,cjs,mjs,json}",
    "**/mocha.opts",
    "**/bunfig.toml",
    "**/{gulpfile,Gruntfile}{,.*}.{js,cjs,mjs,ts,cts,mts,coffee}",
    "**/{vitest.workspace,vitest.setup,jest.setup,jest-setup,setup-jest,setupTests}.{js,cjs,mjs,ts,cts,mts,json}",
    "**/.{mocharc,nycrc,c8rc,taprc,babelrc,swcrc}{,.js,.cjs,.mjs,.json,.yml,.yaml,.jsonc}",
    "**/eslint.config{,.*}.{js,cjs,mjs,ts,cts,mts}",
    "**/.eslint{rc,rc.*,ignore}",
    "**/.{oxlintrc,prettierrc,stylelintrc,jshintrc,lintstagedrc,commitlintrc}{,.js,.cjs,.mjs,.json,.jsonc,.yml,.yaml}",
    "**/biome.{json,jsonc}",
    "**/{tsconfig,jsconfig}{,.*,-*}.json",
    "**/.npmrc",
    "**/.yarnrc{,.yml}",
    "**/.pnpmfile.{cjs,mjs}",
    "**/pnpm-workspace.yaml",
    "**/{turbo,nx,lerna,deno}.{json,jsonc}",
    // Python
    "**/{pyproject,ruff,.ruff,pytest,.pytest,tox,hatch,uv,ty,pyrefly}.toml",
    "**/{setup.cfg,setup.py,tox.ini,pytest.ini,.pytest.ini,mypy.ini,.mypy.ini,noxfile.py,conftest.py,.flake8,.pylintrc,pylintrc,.coveragerc,pyrightconfig.json,sitecustomize.py,usercustomize.py}",
    // Go, Rust
    "**/.golangci.{yml,yaml,toml,json}",
    "**/go.work",
    "**/Cargo.toml",
    "**/{build.rs,clippy.toml,.clippy.toml,rustfmt.toml,.rustfmt.toml,rust-toolchain,rust-toolchain.toml}",
    "**/.cargo/**",
    "**/.config/nextest.toml",
    "**/{tarpaulin,.tarpaulin}.toml",
    // JVM
    "**/pom.xml",
    "**/*.gradle{,.kts}",
    "**/buildSrc/**",
    "**/{build.xml,*.sbt}",
    "**/gradle.properties",
    "**/gradle/wrapper/**",
    "**/{gradlew,gradlew.bat,mvnw,mvnw.cmd}",
    "**/.mvn/**",
    "**/{checkstyle,pmd,spotbugs}*.xml",
    // Other
    "**/{Makefile,GNUmakefile,*.mk,justfile,.justfile,Rakefile,Dockerfile,Earthfile,CMakeLists.txt,mix.exs}",
    "**/Taskfile{,.*}.{yml,yaml}",
    "**/{BUILD,WORKSPACE}{,.bazel}",
    "**/.bazelrc",
    "**/{,.}mise{,.*}.toml",
    "**/Directory.Build.{props,targets}",
    "**/*.runsettings",
    "**/.{rspec,rubocop.yml,simplecov,phpcs.xml,editorconfig}",
    "**/phpunit.xml{,.dist}",
    "**/{.coverage-thresholds.json,codecov.yml,.codecov.yml,sonar-project.properties}",
    "**/.{husky,githooks}/**",
    "**/.pre-commit-config.yaml",
    "**/{lefthook,.lefthook}.yml",
    "**/.{nvmrc,node-version,python-version,ruby-version,tool-versions,java-version,sdkmanrc}",
  ],
};

/** What decides which code of others is installed, the tools that judge work among it. */
const dependency: ProtectedRule = { kind: "dependency", globs: DEPENDENCY_GLOBS };

export interface ProtectedPath {
  readonly kind: ProtectedKind;
  /** The glob that names it. */
  readonly rule: string;
}

export type ProtectedPathFinder = (path: string) => ProtectedPath | null;

/**
 * @param patterns further globs (`protected:` in the configuration); a pattern that is a path is
 * that path first, so that brackets can be names.
 */
export function buildProtectedPathFinder(patterns: readonly string[]): ProtectedPathFinder {
  const known = finders.get(patterns);
  if (known !== undefined) return known;
  const finder = compileFinder(patterns);
  finders.set(patterns, finder);
  return finder;
}

/** Compiling the globs costs far more than asking them, and one configuration is asked again and again. */
const finders = new WeakMap<readonly string[], ProtectedPathFinder>();

function compileFinder(patterns: readonly string[]): ProtectedPathFinder {
  // Dependencies come last: they are guarded less than what somebody has configured.
  const rules = [forge, agent, validation, { kind: "configured", globs: patterns } as const, dependency];
  const compiled = rules.map((rule) => ({
    kind: rule.kind,
    match: rule.globs.length === 0 ? () => false : picomatch([...rule.globs], options),
    globs: rule.globs.map((glob) => ({ glob, match: picomatch(glob, options) })),
  }));
  return (path) => {
    if (patterns.includes(path)) return { kind: "configured", rule: path };
    for (const rule of compiled) {
      if (!rule.match(path)) continue;
      return { kind: rule.kind, rule: rule.globs.find(({ match }) => match(path))?.glob ?? path };
    }
    return null;
  };
}

/** Disks may be case-insensitive, and so may be whatever reads these files. */
const options = { dot: true, nocase: true } as const;

/** True for what no plan can allow: workflows need a permission the App does not have, the rest is its own ground. */
export function isNeverAllowed(path: string): boolean {
  return neverAllowed(path);
}

const neverAllowed = picomatch(
  [".github/workflows/**", ".github/taskfleet.{yml,yaml}", ".taskfleet/**", "**/.gitmodules"],
  options,
);
