/** Which of the actions a decision asks for comes next: the first that is worth its requests now. */
import { listQuestions } from "../../engine/derive/needs.ts";
import { deriveProposal } from "../../engine/derive/plan-progress.ts";
import type { Action } from "../../engine/action.ts";
import type { RunState } from "../../engine/state.ts";
import type { RunAddress } from "../../store/port.ts";
import type { EditPace } from "./edit-pace.ts";
import { findRoom } from "./find-room.ts";
import type { RunSession } from "../run-session.ts";

export interface NextAction {
  /** null: nothing is to be done at once. */
  readonly action: Action | null;
  /** When what was put off is due (ms), or null: an edit, or what GitHub's limits leave no room for. */
  readonly heldUntil: number | null;
}

/** @param actions the most important first. */
export function pickAction(session: RunSession, actions: readonly Action[], pace: EditPace): NextAction {
  const { state, fleet, record } = session;
  const now = fleet.clock.now();
  let heldUntil: number | null = null;
  for (const action of actions) {
    const text = state.ended === null ? findText(action, "edited") : null;
    const shownAt =
      text === null
        ? now
        : pace.reserve(record.installationId, formatText(session.address, text), formatAsked(state, now), now);
    const at = Math.max(shownAt, findRoom(fleet, record.installationId, action, now));
    if (at <= now) return { action, heldUntil };
    heldUntil = Math.min(heldUntil ?? at, at);
  }
  return { action: null, heldUntil };
}

/** To be told of every action that was carried out: what was written or edited just now can wait for its next edit. */
export function noteEdit(session: RunSession, action: Action, pace: EditPace): void {
  const text = findText(action, "edited") ?? findText(action, "new");
  const now = session.fleet.clock.now();
  if (text !== null) pace.use(formatText(session.address, text), formatAsked(session.state, now), now);
}

/** How the names of a run's texts begin. */
export function formatTexts(address: RunAddress): string {
  return `${address.repositoryId}/${address.runKey}/`;
}

type Text = "status" | "feature-body";

/** The text that the action writes or edits and that is edited for the whole run, or null. */
function findText(action: Action, how: "new" | "edited"): Text | null {
  switch (action.kind) {
    case "RefreshStatus":
      return how === "edited" ? "status" : null;
    case "UpdateFeaturePull":
      return how === "edited" ? "feature-body" : null;
    case "OpenFeaturePull":
      return how === "new" ? "feature-body" : null;
    case "PostComment":
      return how === "new" && action.subject.kind === "status" ? "status" : null;
    default:
      return null;
  }
}

function formatText(address: RunAddress, text: Text): string {
  return `${formatTexts(address)}${text}`;
}

/** What people are asked: to approve a plan, or a question. */
function formatAsked(state: RunState, now: number): string {
  const proposal = deriveProposal(state);
  const plans = proposal === null ? [] : [`plan:${proposal.rev}`];
  return [...plans, ...listQuestions(state, now).map((need) => need.key)].join("\n");
}
