import type { Chunk, Plan } from "../../src/contracts/plan.ts";

/** A chunk with nothing to complain about; each gets files of its own. */
export function buildChunk(id: string, overrides: Partial<Chunk> = {}): Chunk {
  return {
    id,
    title: `Build ${id}`,
    tier: "mid",
    brief: `Write src/${id}/index.ts so that it exports one function that answers requests for ${id}.`,
    files_touched: [`src/${id}/index.ts`, `test/${id}.test.ts`],
    checks: [{ desc: `the tests of ${id} pass`, run: `npm test -- test/${id}.test.ts` }],
    ...overrides,
  };
}

export function buildValidPlan(overrides: Partial<Plan> = {}): Plan {
  return {
    schema_version: 3,
    plan_rev: 1,
    intent_rev: 1,
    feature: { slug: "todo", source_branch: "main", integration_branch: "taskfleet/7-todo/integration" },
    baseline: {
      ref: "taskfleet/7-todo/integration@fork",
      commit_oid: "0123456789abcdef0123456789abcdef01234567",
      toolchain: "node v24.22.3",
      test_passlist_hash: "sha256:aa",
      clippy_warnings_hash: "sha256:bb",
      enumerated_targets_hash: "sha256:cc",
    },
    acceptance: [
      { kind: "check", desc: "the whole suite passes", run: "npm test" },
      { kind: "assertion", desc: "a new todo appears in the list without a reload" },
    ],
    chunks: [
      buildChunk("store"),
      buildChunk("api", {
        deps: ["store"],
        brief: "Serve the todos of src/store/index.ts over HTTP under /todos, as JSON.",
      }),
    ],
    ...overrides,
  };
}

/** A plan of the given chunks. */
export function buildPlanOf(...chunks: readonly Chunk[]): Plan {
  return buildValidPlan({ chunks });
}

/** A copy to break: every key may be set to anything or deleted. */
// oxlint-disable-next-line typescript/no-explicit-any
export function copyLoosely(value: unknown): any {
  return structuredClone(value);
}

/** Chunks a -> b reads "b waits for a": `buildDag({ a: [], b: ["a"] })`. */
export function buildDag(
  deps: Readonly<Record<string, readonly string[]>>,
): readonly { id: string; deps: readonly string[] }[] {
  return Object.entries(deps).map(([id, list]) => ({ id, deps: list }));
}
