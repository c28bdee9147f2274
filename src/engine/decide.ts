/** `decide(state, now) -> { actions, waits, wakeAt }`: pure; asked again after every fact, and after a crash. */
import type { Action, Decision, Priority } from "./action.ts";
import { ActionBuilder, type Timing } from "./decide/action-builder.ts";
import { decideAccept } from "./decide/decide-accept.ts";
import { decideApproval } from "./decide/decide-approval.ts";
import { decideCancel } from "./decide/decide-cancel.ts";
import { decideChunks } from "./decide/decide-chunks.ts";
import { decideDropped } from "./decide/decide-dropped.ts";
import { decideEnd } from "./decide/decide-end.ts";
import { decideIntake } from "./decide/decide-intake.ts";
import { decideLanding } from "./decide/decide-landing.ts";
import { decideDoubtful, decideOutdated } from "./decide/decide-outdated.ts";
import { decidePeople } from "./decide/decide-people.ts";
import { decidePlan } from "./decide/decide-plan.ts";
import { decideReviews, decideSurfaces } from "./decide/decide-surfaces.ts";
import type { RunState } from "./state.ts";

export type { Timing } from "./decide/action-builder.ts";

const ORDER: Readonly<Record<Priority, number>> = { landing: 0, dispatch: 1, cosmetic: 2 };

export function decide(state: RunState, now: number, timing: Timing): Decision {
  const builder = new ActionBuilder(state, now, timing);
  // A verdict stands on the pull request before what it is about lands.
  decideReviews(builder, state);
  if (state.ended === null) decideOpenRun(builder, state, now);
  decideSurfaces(builder, state, now);
  if (state.ended !== null) decideEnd(builder, state, now);
  const actions: readonly Action[] = builder.actions.toSorted((a, b) => ORDER[a.priority] - ORDER[b.priority]);
  return { actions, waits: builder.waits, wakeAt: builder.wakeAt };
}

function decideOpenRun(builder: ActionBuilder, state: RunState, now: number): void {
  if (state.merged !== null || state.cancelled !== null || state.answerText !== null) {
    decideCancel(builder, state);
    decideDoubtful(builder, state);
    decideEnd(builder, state, now);
    return;
  }
  if (state.integration === null) {
    decideIntake(builder, state);
    return;
  }
  decidePeople(builder, state, now);
  decidePlan(builder, state);
  decideApproval(builder, state);
  decideChunks(builder, state);
  decideOutdated(builder, state);
  decideDropped(builder, state);
  decideLanding(builder, state);
  decideAccept(builder, state, now);
  decideDoubtful(builder, state);
}
