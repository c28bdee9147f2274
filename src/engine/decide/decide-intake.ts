import type { RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";

/** A run begins with its branch: the intent and the execution plan of the planning agents, committed. */
export function decideIntake(builder: ActionBuilder, state: RunState): void {
  builder.add("integration", "dispatch", `Starting from ${state.run.fork.slice(0, 10)} of ${state.run.source}`, {
    kind: "CreateIntegration",
  });
}
