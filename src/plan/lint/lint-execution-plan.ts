import type { ExecutionPlan } from "../../contracts/execution-plan.ts";
import type { Problem } from "../../contracts/problem.ts";
import { formatFound, ProblemList } from "../problem-list.ts";

const minContext = 20;

/** An agent that is told too little, or the same as another one, does not know its part. */
export function lintExecutionPlan(plan: ExecutionPlan): readonly Problem[] {
  const problems = new ProblemList(Number.POSITIVE_INFINITY);
  const firstOf = new Map<string, string>();
  for (const [index, agent] of plan.agents.entries()) {
    const path = ["agents", index, "context"];
    const context = agent.context.trim().replaceAll(/\s+/gu, " ");
    const found = formatFound(context);
    if (context.length < minContext) {
      const message = `the context of ${formatFound(agent.role)} has ${context.length} characters; say what exactly this agent needs to know`;
      problems.add(path, "short-context", { message, found, allowed: `at least ${minContext} characters` });
    }
    const first = firstOf.get(context.toLowerCase());
    if (first === undefined) firstOf.set(context.toLowerCase(), agent.role);
    else {
      const message = `the context of ${formatFound(agent.role)} is the same as that of ${formatFound(first)}`;
      problems.add(path, "repeated-context", {
        message,
        found,
        allowed: "what this agent does and the other does not",
      });
    }
  }
  return problems.list();
}
