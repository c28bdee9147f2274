/**
 * Text to validated plan, against `JSON.parse` and ajv on the same document in the same run. Rounds
 * alternate, so that a busy machine slows both alike.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parsePlan } from "../../../src/plan/parse-plan.ts";
import { lintPlan } from "../../../src/plan/lint/lint-plan.ts";
import { validatePlan } from "../../../src/plan/validate-plan.ts";
import { generatePlan } from "./generate-plan.ts";

const sizes = [1000, 10_000, 20_000];
const rounds = 21;
const maxRatio = 3;
/** Our own part (all but JSON.parse) may grow by this much more than the text does, once caches are full. */
const maxGrowth = 1.3;
const limits = { maxBytes: Number.MAX_SAFE_INTEGER };

interface Row {
  readonly chunks: number;
  readonly deps: number;
  readonly megabytes: number;
  readonly baseline: number;
  readonly parsePlan: number;
  readonly ratio: number;
  readonly ownPart: number;
}

export async function run(): Promise<readonly string[]> {
  const schema = JSON.parse(
    readFileSync(new URL("../../../schemas/plan.v3.schema.json", import.meta.url), "utf8"),
  ) as object;
  const accepts = new Ajv2020({ allErrors: true }).compile(schema);
  const rows = measureAll(accepts);
  console.table(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number(value.toFixed(2))]))),
  );
  measureLint();
  console.log(
    `peak memory of a process that reads ${sizes.at(-1)} chunks: ${measureMemory("parsePlan")} MB; with JSON.parse and ajv: ${measureMemory("ajv")} MB`,
  );
  return judge(rows);
}

function judge(rows: readonly Row[]): readonly string[] {
  const failures = rows
    .filter((row) => row.ratio > maxRatio)
    .map(
      (row) =>
        `${row.chunks} chunks take ${row.ratio.toFixed(2)} times as long as JSON.parse and ajv; allowed are ${maxRatio}`,
    );
  const [small, large] = [rows.at(-2)!, rows.at(-1)!];
  const growth = large.ownPart / small.ownPart / (large.megabytes / small.megabytes);
  console.log(
    `growth of our own part beyond the text's from ${small.chunks} to ${large.chunks} chunks: ${growth.toFixed(2)}`,
  );
  return growth > maxGrowth
    ? [...failures, `our own part grows ${growth.toFixed(2)} times faster than the text`]
    : failures;
}

/** All sizes take turns within each round: what slows the machine for a while slows them alike. */
function measureAll(accepts: (value: unknown) => boolean): readonly Row[] {
  const works = sizes.map((size) => {
    const plan = generatePlan(size);
    const text = JSON.stringify(plan, null, 2);
    return { size, plan, text, baseline: [] as number[], parsePlan: [] as number[], parse: [] as number[] };
  });
  for (let round = 0; round < rounds; round += 1)
    for (const { text, baseline, parsePlan: own, parse } of works) {
      baseline.push(clock(() => accepts(JSON.parse(text))));
      own.push(clock(() => parsePlan(text, limits).plan !== null));
      parse.push(clock(() => JSON.parse(text) !== null));
    }
  return works.map(({ size, plan, text, ...times }) => {
    const [baseline, own, parse] = [findMedian(times.baseline), findMedian(times.parsePlan), findMedian(times.parse)];
    return {
      chunks: size,
      deps: plan.chunks.reduce((sum, chunk) => sum + (chunk.deps?.length ?? 0), 0),
      megabytes: text.length / 1e6,
      baseline,
      parsePlan: own,
      ratio: own / baseline,
      ownPart: own - parse,
    };
  });
}

function measureLint(): void {
  const plan = generatePlan(sizes.at(-1)!);
  const milliseconds = clock(() => validatePlan(plan).length === 0 && lintPlan(plan).length >= 0);
  console.log(`lint of ${plan.chunks.length} chunks: ${milliseconds.toFixed(0)} ms`);
}

function clock(work: () => boolean): number {
  const started = performance.now();
  if (!work()) throw new Error("the generated plan was refused");
  return performance.now() - started;
}

function findMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

/** In a process of its own, since one's memory includes what others left behind. */
function measureMemory(way: "parsePlan" | "ajv"): number {
  const script = fileURLToPath(new URL("plan-memory.ts", import.meta.url));
  return Number(execFileSync(process.execPath, [script, way, String(sizes.at(-1))], { encoding: "utf8" }));
}
