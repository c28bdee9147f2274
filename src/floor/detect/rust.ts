import type { DetectedFloor } from "../effective-config.ts";
import { command, findFile, type RepositoryView } from "./repository-view.ts";

export function detectRust(view: RepositoryView): DetectedFloor | null {
  if (!view.files.has("Cargo.toml")) return null;
  const nextest = findFile(view, [".config/nextest.toml"]);
  return {
    toolchain: command("rustc --version", 1),
    typecheck: command("cargo check --workspace --all-targets --quiet"),
    test:
      nextest !== null && /^\s*\[profile\.ci\.junit\]/mu.test(view.readText(nextest) ?? "")
        ? nextestCommand
        : cargoCommand,
    lint: {
      ...command("cargo clippy --workspace --all-targets --quiet --message-format=json"),
      report: "-",
      format: "clippy-json",
    },
  };
}

/** `Running …` lines go to standard error, so both streams are joined in the shell to keep their order. */
const cargoCommand = {
  ...command("cargo test --workspace --no-fail-fast 2>&1"),
  report: "-",
  format: "libtest",
} as const;

const nextestCommand = {
  ...command("cargo nextest run --workspace --no-fail-fast --profile ci"),
  report: "target/nextest/ci/junit.xml",
  format: "junit",
} as const;
