/** Counts over the commit's files, taken before anything of it runs. */
import { lstat, readFile } from "node:fs/promises";
import path from "node:path";
import type { Captures } from "../../contracts/captures.ts";
import { isTestFile } from "../../contracts/test-files.ts";
import { countAssertions } from "../../floor/count/count-assertions.ts";
import { countSuppressions } from "../../floor/count/count-suppressions.ts";
import { parseThresholds, type ThresholdsFile } from "../../floor/coverage-thresholds.ts";

const sourceFile =
  /\.(?:[cm]?[jt]s|[jt]sx|vue|svelte|py|pyi|go|rs|java|kt|kts|scala|rb|php|cs|swift|c|cc|cpp|h|hpp|sh|bash)$/u;
const maxBytes = 1_000_000;

export interface SourceCounts {
  readonly assertions: Captures["assertions"];
  readonly suppressions: Captures["suppressions"];
}

/** @param patterns `floor.tests.files`. Files that hold tests are always listed, others with a count above 0. */
export async function countSources(
  root: string,
  files: readonly string[],
  patterns: readonly string[],
): Promise<SourceCounts> {
  const assertions: Captures["assertions"] = [];
  const suppressions: Captures["suppressions"] = [];
  for (const file of files) {
    const isTest = isTestFile(file, patterns);
    if (!isTest && !sourceFile.test(file)) continue;
    const text = await readSource(root, file);
    if (text === null) continue;
    const tally = isTest || holdsTests(file, text) ? countAssertions(file, text) : null;
    if (tally !== null) assertions.push({ path: file, ...tally });
    const silenced = countSuppressions(file, text);
    if (silenced > 0) suppressions.push({ path: file, count: silenced });
  }
  return { assertions, suppressions };
}

/** Rust keeps unit tests beside the code. */
function holdsTests(file: string, text: string): boolean {
  return file.endsWith(".rs") && /#\[(?:cfg\(test\)|(?:\w+::)*test\b)/u.test(text);
}

/** A text file of the checkout; null for links, folders, large and absent files. */
async function readSource(root: string, file: string): Promise<string | null> {
  const full = path.join(root, file);
  try {
    const facts = await lstat(full);
    return facts.isFile() && facts.size <= maxBytes ? await readFile(full, "utf8") : null;
  } catch {
    return null;
  }
}

/** `.coverage-thresholds.json` of the checkout; null when there is none. */
export async function readThresholds(root: string): Promise<ThresholdsFile | null> {
  const text = await readSource(root, ".coverage-thresholds.json");
  return text === null ? null : parseThresholds(text);
}
