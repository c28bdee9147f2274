import type { DetectedFloor } from "../effective-config.ts";
import { command, findFile, type RepositoryView } from "./repository-view.ts";

export function detectGo(view: RepositoryView): DetectedFloor | null {
  if (!view.files.has("go.mod")) return null;
  const linted = findFile(view, [".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"]) !== null;
  return {
    toolchain: command("go version", 1),
    typecheck: command("go vet ./..."),
    test: { ...command("go test -count=1 -json ./..."), report: "-", format: "go-test-json" },
    enumerate: command("go list -f '{{.ImportPath}} package {{.ImportPath}}' ./..."),
    ...(linted
      ? {
          lint: {
            ...command("golangci-lint run --output.json.path=stdout --issues-exit-code=0"),
            report: "-",
            format: "golangci-json",
          },
        }
      : {}),
  };
}
