/**
 * `npm test [-- jest arguments]`: runs Jest on ES modules and ends with the line
 * `N passed, N failed` (`, N skipped` where tests were skipped).
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

interface JestSummary {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

const folder = mkdtempSync(path.join(tmpdir(), "taskfleet-test-"));
const output = path.join(folder, "summary.json");
const jest = path.resolve("node_modules/jest/bin/jest.js");
const result = spawnSync(
  process.execPath,
  [
    "--experimental-vm-modules",
    "--disable-warning=ExperimentalWarning",
    jest,
    "--json",
    `--outputFile=${output}`,
    ...process.argv.slice(2),
  ],
  { stdio: ["ignore", "ignore", "inherit"] },
);
let summary: JestSummary | null = null;
try {
  summary = JSON.parse(readFileSync(output, "utf8")) as JestSummary;
} catch {
  console.error("Jest ended without a summary; its messages are above.");
}
rmSync(folder, { recursive: true, force: true });
// A test file that cannot even be loaded has no tests to count, so it counts as one failure.
const failed = summary === null ? 1 : summary.numFailedTests + summary.numRuntimeErrorTestSuites;
const skipped = summary === null ? 0 : summary.numPendingTests + summary.numTodoTests;
console.log(`${summary?.numPassedTests ?? 0} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 || result.status !== 0 ? 1 : 0;
