import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { reviewScenarios } from "./review/review-scenarios.ts";
import type { ReviewScenario } from "./review/review-scenario.ts";

const seeded = reviewScenarios.filter(({ chunk }) => chunk.id !== "change");
const honest = seeded.filter(({ verdict }) => verdict === "honest");
const defects = seeded.filter(({ verdict }) => verdict === "defect");

let folder = "";
/** Folders in which a test failed. */
let failed: ReadonlySet<string> = new Set();

/** Every version with its own tests, and every defect with the tests of its honest twin, in one go. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "taskfleet-review-suite-"));
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }\n');
  for (const [index, scenario] of seeded.entries()) await plant(`own-${index}`, scenario, scenario);
  for (const [index, defect] of defects.entries()) {
    const twin = honest.find(({ about }) => about === defect.about);
    if (twin !== undefined) await plant(`twin-${index}`, defect, twin);
  }
  failed = await runTests();
}, 60_000);
afterAll(async () => rm(folder, { recursive: true, force: true }));

async function plant(name: string, code: ReviewScenario, tests: ReviewScenario): Promise<void> {
  for (const [file, text] of [
    ...Object.entries(code.change).filter(([one]) => one.startsWith("src/")),
    ...Object.entries(tests.change).filter(([one]) => one.startsWith("test/")),
  ]) {
    const target = path.join(folder, name, file);
    await mkdir(path.dirname(target), { recursive: true });
    if (typeof text === "string") await writeFile(target, text);
  }
}

async function runTests(): Promise<ReadonlySet<string>> {
  const args = ["--test", "--test-isolation=none", "--test-reporter=junit", "*/test/*.test.js"];
  // Inside of another runner's test, node's own would report in that one's language.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const report = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env, maxBuffer: 1 << 25 }, (_error, stdout) => resolve(stdout));
  });
  const cases = report.split("<testcase ").slice(1);
  if (cases.length < seeded.length) throw new Error(`the tests were not run:\n${report.slice(0, 2000)}`);
  return new Set(
    cases
      .filter((text) => text.includes("<failure"))
      .map((text) => path.relative(folder, /file="([^"]+)"/u.exec(text)?.[1] ?? "").split(path.sep)[0] ?? ""),
  );
}

describe("the review suite (npm run catch -- --review plays it)", () => {
  it("has twenty seeded defects, each with an honest twin, and what no floor can decide", () => {
    expect(defects).toHaveLength(20);
    expect(new Set(defects.map(({ about }) => about))).toEqual(new Set(honest.map(({ about }) => about)));
    const undecided = reviewScenarios.filter(({ chunk }) => chunk.id === "change").map(({ about }) => about);
    expect(new Set(undecided).size).toBe(4);
  });

  it.each(seeded.map((scenario, index) => [scenario.about, scenario.title, index] as const))(
    "passes its own tests, so that no floor stops it: %s: %s",
    (_about, _title, index) => {
      expect(failed.has(`own-${index}`)).toBe(false);
    },
  );

  it.each(defects.map((scenario, index) => [scenario.about, scenario.title, index] as const))(
    "is really wrong, as its honest twin's tests show: %s: %s",
    (_about, _title, index) => {
      expect(failed.has(`twin-${index}`)).toBe(true);
    },
  );
});
