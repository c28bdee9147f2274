import type { Chunk } from "../../src/contracts/plan.ts";
import { planDraftSchema } from "../../src/contracts/plan-draft.ts";
import type { DraftPlan } from "../../src/engine/fact.ts";

/** A sound chunk: its own file, one check, one assertion. */
export function buildChunk(id: string, deps: readonly string[] = [], change: Partial<Chunk> = {}): Chunk {
  return {
    id,
    title: `Build ${id}`,
    deps,
    tier: "code",
    brief: `Write ${id} in src/${id}.js, and test it.`,
    files_touched: [`src/${id}.js`, `test/${id}.test.js`],
    checks: [{ desc: `The tests of ${id} pass`, run: `node --test test/${id}.test.js` }],
    assertions: [`${id} refuses an empty input`],
    requires_tests: true,
    ...change,
  };
}

/** What the planner returns for these chunks, with one requirement per chunk. */
export function buildDraft(chunks: readonly Chunk[], change: Partial<DraftPlan> = {}): DraftPlan {
  const draft = planDraftSchema.parse({
    kind: "plan",
    title: "Budgets per category",
    goal: "People can set a monthly budget per category and see how much of it is used.",
    chunks,
    acceptance: [
      { kind: "check", desc: "All tests pass", run: "npm test" },
      { kind: "assertion", desc: "A budget that is used up is visible in the report" },
    ],
    requirements: chunks.map((chunk) => ({ text: `The program has ${chunk.id}`, chunks: [chunk.id] })),
    assignments: Object.fromEntries(chunks.map((chunk) => [chunk.id, "default"])),
  });
  if (draft.kind !== "plan") throw new Error("not a plan");
  return { ...draft, ...change };
}
