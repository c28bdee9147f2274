import type { Chunk, Plan } from "../../../src/contracts/plan.ts";

const depsOfEach = 4;

/** A large plan as a planner would write it, the same each time: `size` chunks with four deps each. */
export function generatePlan(size: number): Plan {
  return {
    schema_version: 3,
    plan_rev: 1,
    intent_rev: 1,
    feature: { slug: "bench", source_branch: "main", integration_branch: "taskfleet/1-bench/integration" },
    baseline: {
      ref: "taskfleet/1-bench/integration@fork",
      commit_oid: "0123456789abcdef0123456789abcdef01234567",
      toolchain: "node v24.22.3",
      test_passlist_hash: "sha256:00",
      clippy_warnings_hash: "sha256:11",
      enumerated_targets_hash: "sha256:22",
    },
    acceptance: [
      { kind: "check", desc: "the whole suite passes", run: "npm test" },
      { kind: "assertion", desc: "a request for any part is answered within its time limit" },
    ],
    chunks: Array.from({ length: size }, (_, index) => generateChunk(index)),
  };
}

function generateChunk(index: number): Chunk {
  const id = `part-${index}`;
  const brief = `Write src/${id}/index.ts. It exports \`answer\`, which takes a request and returns a response;\nan unknown request is answered with the code "unknown-request" and logged once.\n`;
  return {
    id,
    title: `Answer requests for part ${index}`,
    deps: listDeps(index),
    tier: "mid",
    brief: brief.repeat(3),
    files_touched: [`src/${id}/index.ts`, `src/${id}/types.ts`, `test/${id}.test.ts`],
    checks: [
      { desc: `the tests of ${id} pass`, run: `npm test -- test/${id}.test.ts` },
      { desc: "the types hold", run: "npm run types", cwd: `src/${id}`, expect_exit: 0 },
    ],
    assertions: [`an unknown request to ${id} is logged exactly once`],
    requires_tests: true,
  };
}

/** Spread over what came before: near, and far back. */
function listDeps(index: number): readonly string[] {
  const deps = new Set<string>();
  for (let number = 1; number <= depsOfEach * 2 && deps.size < depsOfEach; number += 1) {
    const back = 1 + ((number * number * 31 + index * 7) % Math.max(1, Math.min(index, 500)));
    if (index - back >= 0) deps.add(`part-${index - back}`);
  }
  return [...deps];
}
