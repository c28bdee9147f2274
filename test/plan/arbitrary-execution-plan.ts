import * as fc from "fast-check";
import type { AgentRole, ExecutionPlan } from "../../src/contracts/execution-plan.ts";
import { textArbitrary } from "./arbitrary-plan.ts";

const texts = fc.array(textArbitrary, { maxLength: 3 });

/** Agents whose `depends_on` points backwards; the synthesizer waits for all. */
const agents: fc.Arbitrary<AgentRole[]> = fc
  .uniqueArray(fc.constantFrom("brainstorm", "web--api", "review--api", "db.v1", "X_1", "9"), {
    minLength: 1,
    maxLength: 5,
  })
  .chain((roles) =>
    fc.tuple(
      ...[...roles, "synthesizer"].map((role, index) =>
        fc
          .record({
            model: fc.constantFrom("haiku" as const, "sonnet" as const, "opus" as const),
            skills: texts,
            mcps: texts,
            worktree: fc.constantFrom(null, "feat/x", "taskfleet/7-x/chunk/a"),
            context: textArbitrary,
            depends_on:
              role === "synthesizer"
                ? fc.constant<AgentRole["depends_on"]>(roles.length === 1 ? roles[0]! : roles)
                : fc.oneof(
                    fc.constant(null),
                    fc.subarray(roles.slice(0, index)),
                    index > 0 ? fc.constantFrom(...roles.slice(0, index)) : fc.constant(null),
                  ),
          })
          .map((agent): AgentRole => ({ role, ...agent })),
      ),
    ),
  )
  .map((list) => [...list]);

/** Valid execution plans; the compiler holds this to the `ExecutionPlan` type. */
export const executionPlanArbitrary: fc.Arbitrary<ExecutionPlan> = fc.record({
  run_id: fc.constantFrom("2026-11-30-001", "2024-02-29-999", "2026-01-31-1000"),
  task: textArbitrary,
  target_dir: fc.constantFrom(null, ".", "src/app", "projects/todo"),
  task_brief: fc.record({
    type: fc.constantFrom(
      "frontend" as const,
      "backend" as const,
      "fullstack" as const,
      "infra" as const,
      "fix" as const,
      "other" as const,
    ),
    complexity: fc.constantFrom("low" as const, "medium" as const, "high" as const),
    inferred: fc.dictionary(textArbitrary, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    explicit_requirements: texts,
    implicit_requirements: texts,
    ambiguities: texts,
    out_of_scope: texts,
  }),
  agents,
});
