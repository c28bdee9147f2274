import type { Fact } from "../../engine/fact.ts";
import { observePull } from "../observe/observe-pull.ts";
import { readTip } from "../observe/tip.ts";
import type { RunSession } from "../run-session.ts";
import type { WorkOf } from "./work-of.ts";

/**
 * Looked at before it is closed: a person may have merged it, or a landing of ours whose answer was lost is about to
 * have it marked as merged. What is called closed is never looked at again.
 */
export async function applyClosing(session: RunSession, action: WorkOf<"ClosePull">): Promise<readonly Fact[]> {
  const { number } = action;
  const pull = await session.repository.loadPull(number, "state");
  if (pull.merged) {
    const merged = await observePull(session, number, null);
    if (merged.length > 0) return merged;
  }
  // Of a feature that a person has merged, nobody has looked at what its branch held by then.
  const { facts } = session.state.merged?.how === "person" ? await readTip(session) : { facts: [] };
  if (facts.length > 0) return facts;
  if (pull.state === "open") await session.repository.updatePull(number, { state: "closed" });
  return [{ kind: "PullClosed", effect: action.key, number }];
}
