import type { CheckSubject, Wait } from "../engine/action.ts";
import type { RunState } from "../engine/state.ts";
import { renderAcceptCheck } from "./checks/accept-check.ts";
import type { CheckText } from "./checks/check-text.ts";
import { renderCandidateCheck, renderFloorCheck } from "./checks/floor-check.ts";
import { renderPlanCheck } from "./checks/plan-check.ts";
import { renderReviewCheck } from "./checks/review-check.ts";
import { renderRunCheck } from "./checks/run-check.ts";
import { renderUnknown } from "./checks/unknown-check.ts";

export type { CheckText } from "./checks/check-text.ts";

/**
 * What a check run of ours shows about its subject, within GitHub's limits.
 * @param now milliseconds since the epoch: which deadlines have passed, and as of when the run's check says what it waits for
 * @param waits what the newest decision waits for; only the run's check shows them
 */
export function renderCheck(
  state: RunState,
  subject: CheckSubject,
  now: number,
  waits: readonly Wait[] = [],
): CheckText {
  switch (subject.kind) {
    case "plan":
      return renderPlanCheck(state, subject.rev);
    case "floor":
      return renderFloorCheck(state, subject.chunk, subject.attempt);
    case "review":
      return renderReviewCheck(state, subject.chunk, subject.attempt);
    case "candidate": {
      const candidate = state.candidates.rows.find((entry) => entry.hash === subject.hash);
      return candidate === undefined
        ? renderUnknown(`candidate ${subject.hash}`)
        : renderCandidateCheck(state, candidate);
    }
    case "accept":
      return renderAcceptCheck(state, subject.n);
    case "run":
      return renderRunCheck(state, waits, now);
  }
}
