import type { RunState } from "../state.ts";

/** Writers whose standing request for changes keeps a pull request from landing. */
export function listBlockers(state: RunState, pull: number): readonly string[] {
  return state.blockers[pull]?.logins ?? [];
}
