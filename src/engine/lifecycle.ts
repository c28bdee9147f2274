/**
 * Every state of a run, a chunk and an attempt with the states that may follow it: the table the state chart
 * is generated from. The simulation refuses a transition that is not in it, and wants every state reached.
 */
import type { ChunkPhase } from "./derive/chunk-progress.ts";
import type { AttemptStage } from "./state.ts";

export type RunPhase = "planning" | "approval" | "working" | "accepting" | "waiting_input" | "paused" | "ended";

/** `begin` is no state: what may come first. An empty list = final. */
export type Lifecycle<State extends string> = Readonly<Record<State | "begin", readonly State[]>>;

const ANY_OPEN = ["planning", "approval", "working", "accepting", "waiting_input", "paused", "ended"] as const;

function but<State extends string>(states: readonly State[], ...left: readonly State[]): readonly State[] {
  return states.filter((state) => !left.includes(state));
}

export const RUN_LIFECYCLE: Lifecycle<RunPhase> = {
  begin: ["planning"],
  // People may pause, replan, cancel or be asked at any time, and the answer leads anywhere.
  planning: but(ANY_OPEN, "planning"),
  approval: but(ANY_OPEN, "approval"),
  working: but(ANY_OPEN, "working"),
  accepting: but(ANY_OPEN, "accepting"),
  waiting_input: but(ANY_OPEN, "waiting_input"),
  paused: but(ANY_OPEN, "paused"),
  ended: [],
};

/** What a command or a new revision may do to a chunk at any time. */
const BY_PEOPLE = ["waiting", "ready", "skipped", "escalated", "stopped", "validating", "landed"] as const;

export const CHUNK_LIFECYCLE: Lifecycle<ChunkPhase> = {
  begin: ["waiting", "ready", "stopped"],
  // A pull request of an earlier try may be merged by hand at any time.
  waiting: ["ready", "skipped", "stopped", "validating", "escalated", "landed"],
  ready: ["implementing", "waiting", "skipped", "stopped", "validating", "escalated", "landed"],
  implementing: ["validating", "retrying", ...BY_PEOPLE.filter((phase) => phase !== "validating")],
  validating: ["reviewing", "retrying", "verified", ...BY_PEOPLE.filter((phase) => phase !== "validating")],
  reviewing: ["verified", "retrying", ...BY_PEOPLE],
  verified: ["landed", "retrying", ...BY_PEOPLE.filter((phase) => phase !== "landed")],
  retrying: ["implementing", ...BY_PEOPLE],
  escalated: ["retrying", "reviewing", "verified", ...BY_PEOPLE.filter((phase) => phase !== "escalated")],
  stopped: ["waiting", "ready", "skipped", "escalated", "validating", "landed", "implementing", "retrying"],
  skipped: ["waiting", "ready", "stopped"],
  // A new definition of what has landed is built again on top of it.
  landed: ["waiting", "ready", "stopped"],
};

export const ATTEMPT_LIFECYCLE: Lifecycle<AttemptStage> = {
  begin: ["implementing", "committed", "refused"],
  implementing: ["received", "refused", "unusable", "external", "superseded"],
  received: ["committed", "superseded"],
  committed: ["floor-passed", "floor-failed", "superseded"],
  "floor-passed": ["verified", "review-failed", "superseded", "committed"],
  verified: ["landed", "conflicted", "integration-failed", "superseded", "committed"],
  landed: ["superseded"],
  // `/override` and changed criteria bring an attempt back; otherwise the next one follows.
  "floor-failed": ["floor-passed", "committed", "superseded"],
  "review-failed": ["verified", "committed", "superseded"],
  refused: ["superseded"],
  unusable: ["superseded"],
  external: ["superseded"],
  conflicted: ["superseded"],
  "integration-failed": ["verified", "superseded", "committed"],
  superseded: [],
};

/** States that nothing need follow: what comes next is another run or another attempt. */
export const FINAL: ReadonlySet<string> = new Set(["ended", "superseded"]);
