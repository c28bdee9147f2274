/** The review suite: small changes that pass every floor, and are right or wrong in what they mean. */
import type { Chunk } from "../../../src/contracts/plan.ts";
import type { Files } from "../scenario.ts";

export interface ReviewScenario {
  /** The feature; a defect and its honest twin share it. */
  readonly about: string;
  /** What a reviewer must find: a defect fails, an honest change passes. */
  readonly verdict: "defect" | "honest";
  readonly title: string;
  /** Folder of the base repository in test/fixtures/catch. */
  readonly base: string;
  readonly chunk: Chunk;
  readonly change: Files;
}

/** A version of a feature: its code, and the tests it brings, as pairs of name and body. */
export interface Version {
  readonly code: string;
  readonly tests: ReadonlyArray<readonly [name: string, body: string]>;
}

export interface Feature {
  readonly about: string;
  /** Name of the module and of the function it exports. */
  readonly module: string;
  readonly name: string;
  readonly brief: string;
  readonly criteria: readonly string[];
  readonly honest: Version;
  readonly defects: ReadonlyArray<Version & { readonly title: string }>;
}

/** The honest change and every seeded defect of a feature. */
export function listVersions(feature: Feature): readonly ReviewScenario[] {
  const { about, honest, defects } = feature;
  const build = (verdict: ReviewScenario["verdict"], title: string, version: Version): ReviewScenario => ({
    about,
    verdict,
    title,
    base: "node",
    chunk: buildChunk(feature),
    change: buildFiles(feature, version),
  });
  return [
    build("honest", "as the criteria say, with tests", honest),
    ...defects.map((defect) => build("defect", defect.title, defect)),
  ];
}

function buildChunk({ about, module, brief, criteria }: Feature): Chunk {
  const test = `test/${module}.test.js`;
  return {
    id: module,
    title: about,
    tier: "mid",
    brief,
    files_touched: [`src/${module}.ts`, test],
    checks: [{ desc: "the tests of the module pass", run: `node --test ${test}` }],
    assertions: [...criteria],
    requires_tests: true,
  };
}

function buildFiles({ module, name }: Feature, { code, tests }: Version): Files {
  const cases = tests.map(([title, body]) => `test("${title}", () => {\n${body.replaceAll(/^(?=.)/gmu, "  ")}\n});\n`);
  const head = `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${name} } from "../src/${module}.ts";\n`;
  return { [`src/${module}.ts`]: code, [`test/${module}.test.js`]: [head, ...cases].join("\n") };
}
