/**
 * `npm run mutation [-- part …]`: changes src/plan in thousands of small ways and counts how many of
 * the changes its tests notice. Part by part, each against its own tests: that is stricter than all
 * against all, and many times faster. Fails below 85 percent. Outside CI.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type MutationPart, mutationParts } from "./mutation/parts.ts";

const minScore = 85;
const folder = "reports/mutation";

interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

const wanted = process.argv.slice(2);
const parts = mutationParts.filter((part) => wanted.length === 0 || wanted.includes(part.name));
if (parts.length === 0) {
  console.error(`there are the parts ${mutationParts.map((part) => part.name).join(", ")}`);
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
let detected = 0;
let total = 0;
for (const part of parts) {
  const report = runPart(part);
  const mutants = Object.values(report.files).flatMap((file) => file.mutants);
  const found = mutants.filter(({ status }) => status === "Killed" || status === "Timeout").length;
  const missed = mutants.filter(({ status }) => status === "Survived" || status === "NoCoverage").length;
  detected += found;
  total += found + missed;
  console.log(`mutation ${part.name}: ${found} of ${found + missed} noticed (${formatScore(found, found + missed)})`);
  for (const line of listSurvivors(report)) console.log(`  ${line}`);
}
console.log(`mutation score: ${formatScore(detected, total)} of ${total} changes`);
if ((100 * detected) / total < minScore) process.exitCode = 1;

function formatScore(found: number, of: number): string {
  return `${((100 * found) / Math.max(1, of)).toFixed(1)} %`;
}

function runPart({ name, mutate, tests }: MutationPart): Report {
  const config = `${folder}/${name}.config.json`;
  const output = `${folder}/${name}.json`;
  writeFileSync(config, JSON.stringify(buildConfig(name, mutate, output)));
  const result = spawnSync("npx", ["stryker", "run", config], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, MUTATION_TESTS: tests.join(","), TASKFLEET_DRIFT_RUNS: "100" },
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
  return JSON.parse(readFileSync(output, "utf8")) as Report;
}

function buildConfig(name: string, mutate: readonly string[], output: string): object {
  const copied = ["src/contracts", "src/plan", "test/plan", "schemas", "tools/dev/mutation", ".github/ISSUE_TEMPLATE"];
  return {
    packageManager: "npm",
    testRunner: "jest",
    testRunnerNodeArgs: ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"],
    // Stryker would read the compiler's options through an interface that TypeScript 7 no longer has.
    tsconfigFile: "none.json",
    jest: { projectType: "custom", configFile: "tools/dev/mutation/jest.config.mjs", enableFindRelatedTests: false },
    coverageAnalysis: "perTest",
    // What runs once when a module is loaded would need a process for each mutant.
    ignoreStatic: true,
    mutate,
    ignorePatterns: ["*", ...copied.flatMap(unignore), "!package.json", "!jest.config.mjs"],
    concurrency: 2,
    timeoutMS: 10_000,
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: output },
    tempDirName: `.stryker-tmp/${name}`,
  };
}

/** `a/b` -> `!a`, `!a/b`, `!a/b/**`. */
function unignore(path: string): readonly string[] {
  const folders = path.split("/").map((_, index, all) => `!${all.slice(0, index + 1).join("/")}`);
  return [...folders, `!${path}/**`];
}

function listSurvivors(report: Report): readonly string[] {
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => status === "Survived" || status === "NoCoverage")
      .map(({ location: { start, end }, mutatorName, replacement }) => {
        const line = source.split("\n")[start.line - 1] ?? "";
        const before = line.slice(start.column - 1, start.line === end.line ? end.column - 1 : undefined);
        const after = (replacement ?? "").replaceAll(/\s+/g, " ").slice(0, 80);
        return `${file}:${start.line}:${start.column} ${mutatorName}: ${before.slice(0, 80)} -> ${after}`;
      }),
  );
}
