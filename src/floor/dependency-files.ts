/**
 * Files that say which code of others comes along, or are that code: manifests, lock files, registries, patches.
 * The tools that judge work come from there, too: one line of a lock file can put another program in the place of
 * a test runner.
 */
import picomatch from "picomatch";

export const DEPENDENCY_GLOBS: readonly string[] = [
  // JavaScript
  "**/package.json",
  "**/{package-lock,npm-shrinkwrap}.json",
  "**/{yarn.lock,pnpm-lock.yaml,bun.lock,bun.lockb,deno.lock}",
  "**/.pnp.{cjs,js,loader.mjs}",
  "**/.yarn/**",
  "**/patches/**/*.patch",
  "**/node_modules/**",
  // Python
  "**/*{requirements,constraints}*.{txt,in}",
  "**/requirements/**/*.{txt,in}",
  "**/{pyproject.toml,setup.py,setup.cfg,Pipfile,Pipfile.lock}",
  "**/{poetry,uv,pdm,pixi}.lock",
  "**/{poetry,pdm,pixi,pylock,pylock.*}.toml",
  "**/{environment,conda-lock}.{yml,yaml}",
  "**/pip.{conf,ini}",
  "**/site-packages/**",
  // Go, Rust
  "**/{go.mod,go.sum,go.work,go.work.sum}",
  "**/vendor/modules.txt",
  "**/{Cargo.toml,Cargo.lock}",
  // JVM
  "**/{pom.xml,build.gradle,build.gradle.kts,gradle.lockfile}",
  "**/gradle/{*.versions.toml,verification-metadata.xml,verification-keyring.*,dependency-locks/**}",
  // Ruby, PHP, .NET, Swift, Elixir, Dart, Nix, Bazel
  "**/{Gemfile,Gemfile.lock,gems.rb,gems.locked,*.gemspec}",
  "**/.bundle/config",
  "**/composer.{json,lock}",
  "**/*.{csproj,fsproj,vbproj}",
  "**/{packages.lock.json,packages.config,nuget.config,Directory.Packages.props}",
  "**/{Package.swift,Package.resolved,Podfile,Podfile.lock}",
  "**/{mix.exs,mix.lock,pubspec.yaml,pubspec.lock}",
  "**/flake.{nix,lock}",
  "**/MODULE.bazel{,.lock}",
];

/** Whether a path says which dependencies there are; disks may be case-insensitive. */
export const isDependencyFile: (path: string) => boolean = picomatch([...DEPENDENCY_GLOBS], {
  dot: true,
  nocase: true,
});
