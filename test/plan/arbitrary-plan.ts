import * as fc from "fast-check";
import type { AcceptanceItem, Baseline, Check, Chunk, Plan, PlanFeature } from "../../src/contracts/plan.ts";
import { isBlank } from "../../src/contracts/blank.ts";
import { foldCase } from "../../src/contracts/case-folding.ts";

/** How many documents the drift guards generate: 2,000, or 50,000 at night. */
export const driftRuns = Number(process.env["TASKFLEET_DRIFT_RUNS"] ?? 2000);

const word = fc.constantFrom(
  "parser",
  "store",
  "the",
  "of",
  "and",
  "Überblick",
  "日本",
  "C++",
  "`x`",
  '"quoted"',
  "a|b",
  "<b>",
  "#1",
  "@you",
  "🙂",
);
export const textArbitrary: fc.Arbitrary<string> = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" ")),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => !isBlank(text) && text.isWellFormed()),
);

const optional = <K extends string, V>(key: K, value: fc.Arbitrary<V>): fc.Arbitrary<{ [P in K]?: V }> =>
  fc.option(value, { nil: undefined }).map((some) => (some === undefined ? {} : { [key]: some })) as fc.Arbitrary<{
    [P in K]?: V;
  }>;

const folder = fc.constantFrom("src", "packages/web", "app/[id]", "a b", ".config", "日本");
const name = fc.constantFrom("index.ts", "a.test.ts", "README.md", ".env", "x-y_z.0.json", "naïve.md");

export const checkArbitrary: fc.Arbitrary<Check> = fc
  .tuple(
    textArbitrary,
    textArbitrary,
    optional("cwd", folder),
    optional("expect_exit", fc.integer({ min: 0, max: 255 })),
  )
  .map(([desc, run, cwd, expected]) => ({ desc, run, ...cwd, ...expected }));

export const acceptanceItemArbitrary: fc.Arbitrary<AcceptanceItem> = fc.oneof(
  checkArbitrary.map((check): AcceptanceItem => ({ kind: "check", ...check })),
  textArbitrary.map((desc): AcceptanceItem => ({ kind: "assertion", desc })),
);

const acceptance: fc.Arbitrary<AcceptanceItem[]> = fc
  .tuple(checkArbitrary, fc.array(acceptanceItemArbitrary, { maxLength: 3 }))
  .map(([check, rest]) => [...rest, { kind: "check", ...check }]);

const chunkBody: fc.Arbitrary<Omit<Chunk, "id" | "deps" | "files_touched">> = fc
  .tuple(
    textArbitrary,
    fc.constantFrom("code" as const, "mid" as const, "high" as const),
    textArbitrary,
    fc.array(checkArbitrary, { minLength: 1, maxLength: 3 }),
    optional("assertions", fc.array(textArbitrary, { maxLength: 3 })),
    optional("requires_tests", fc.boolean()),
  )
  .map(([title, tier, brief, checks, assertions, tests]) => ({ title, tier, brief, checks, ...assertions, ...tests }));

/** Chunks in any order whose deps point to chunks of lower number, so that there is no cycle. */
export const chunksArbitrary: fc.Arbitrary<Chunk[]> = fc
  .uniqueArray(
    fc
      .tuple(fc.constantFrom("a", "B2", "core", "x.y", "9"), fc.constantFrom("", "-api", "_ui", ".v1", "--2"))
      .map((parts) => parts.join("")),
    { minLength: 1, maxLength: 6, selector: foldCase },
  )
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id, index) =>
        fc
          .tuple(
            chunkBody,
            optional("deps", fc.subarray(ids.slice(0, index))),
            fc.uniqueArray(
              fc.tuple(folder, name).map((parts) => parts.join("/")),
              { minLength: 1, maxLength: 4 },
            ),
          )
          .map(([body, deps, files]): Chunk => ({ id, ...body, ...deps, files_touched: files })),
      ),
    ),
  )
  .chain((chunks) => fc.shuffledSubarray([...chunks], { minLength: chunks.length, maxLength: chunks.length }));

const branch = fc.constantFrom("main", "develop", "feature/#1", "release/1.x");
const feature: fc.Arbitrary<PlanFeature> = fc
  .tuple(textArbitrary, branch, fc.constantFrom("taskfleet/7-x/integration", "int", "日本/x"))
  .map(([slug, source_branch, integration_branch]) => ({ slug, source_branch, integration_branch }));

const baseline: fc.Arbitrary<Baseline> = fc
  .tuple(textArbitrary, textArbitrary, textArbitrary, textArbitrary, textArbitrary, textArbitrary)
  .map(([ref, commit_oid, toolchain, test_passlist_hash, clippy_warnings_hash, enumerated_targets_hash]) => ({
    ref,
    commit_oid,
    toolchain,
    test_passlist_hash,
    clippy_warnings_hash,
    enumerated_targets_hash,
  }));

const revision = fc.oneof(fc.nat({ max: 9 }), fc.constant(Number.MAX_SAFE_INTEGER));

/** Valid plans; the compiler holds this to the `Plan` type. */
export const planArbitrary: fc.Arbitrary<Plan> = fc
  .tuple(revision, revision, feature, baseline, acceptance, chunksArbitrary)
  .map(([plan_rev, intent_rev, feature, baseline, acceptance, chunks]) => ({
    schema_version: 3,
    plan_rev,
    intent_rev,
    feature,
    baseline,
    acceptance,
    chunks,
  }));
