import type { Sha } from "../../contracts/ids.ts";
import { deriveActiveRevision } from "../../engine/derive/plan-progress.ts";
import type { AcceptState } from "../../engine/state.ts";
import { listLearnings } from "../learnings.ts";
import { listBeads } from "../mirror/list-beads.ts";
import type { RunSession } from "../run-session.ts";

/** The commit's message carries the acceptance's number under this name. */
export const ACCEPT_TRAILER = "Taskfleet-Accept";

/** What was learned rides in the accepted commit: evidence only, the verified tree stays what it is. */
export async function createAcceptTree({ state, repository }: RunSession, accept: AcceptState): Promise<Sha> {
  const chunks = deriveActiveRevision(state)?.plan.chunks ?? [];
  return repository.createTree(accept.tree, [...listLearnings(state), ...listBeads(state, chunks)]);
}

export function listAcceptParents(accept: AcceptState): readonly Sha[] {
  return accept.commit === accept.tip ? [accept.tip] : [accept.tip, accept.commit];
}
