/** What came of a story so far, in the words tests ask for. */
import { decide } from "../../src/engine/decide.ts";
import { TIMING } from "./play.ts";
import type { Story } from "./story.ts";

/** To the newest command. */
export function readAnswer({ state }: Story): readonly [accepted: boolean, answer: string] {
  const last = state.commands.at(-1);
  return [last?.accepted ?? false, last?.answer ?? ""];
}

/** Of what is decided now. */
export function listKinds({ state, now }: Story): readonly string[] {
  return decide(state, now, TIMING).actions.map((action) => action.kind);
}
