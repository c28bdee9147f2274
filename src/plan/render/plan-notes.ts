import type { ExecutionPlan, TaskBrief } from "../../contracts/execution-plan.ts";
import type { PlanProposal } from "../../contracts/plan-draft.ts";
import type { Problem } from "../../contracts/problem.ts";

/** What is known of a plan beyond the document itself; a section without content is left out. */
export interface PlanNotes extends Partial<
  Pick<
    PlanProposal,
    | "title"
    | "goal"
    | "requirements"
    | "decisions"
    | "unassignable"
    | "open_questions"
    | "checklist"
    | "checkpoints"
    | "api_contract"
    | "security"
    | "user_flows"
    | "external_dependencies"
  >
> {
  readonly taskBrief?: TaskBrief;
  /** Chunk id to agent name. */
  readonly assignments?: Readonly<Record<string, string>>;
  /** Lint warnings. */
  readonly warnings?: readonly Problem[];
  readonly executionPlan?: ExecutionPlan;
  /** What `/approve` binds. */
  readonly hash?: string;
}
