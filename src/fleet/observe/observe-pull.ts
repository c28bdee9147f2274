import type { Fact } from "../../engine/fact.ts";
import { listLandedPulls } from "../list-landed-pulls.ts";
import { MERGED } from "../inbox/route-delivery.ts";
import type { RunSession } from "../run-session.ts";
import { observeTip } from "./tip.ts";

/**
 * Merged or closed: by us, or by a person.
 * @param note `merged` when a webhook said so.
 */
export async function observePull(session: RunSession, number: number, note: string | null): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const feature = state.featurePull?.number === number ? state.featurePull : null;
  const chunks = state.chunks.rows.flatMap((chunk) => chunk.pulls);
  // One that was closed and reopened comes with the same number again.
  const known = feature ?? chunks.findLast((pull) => pull.number === number);
  if (known === undefined || known.settled === "merged") return [];
  if (known.settled === "closed" && feature === null) return [];
  // What we landed ourselves GitHub was bound to call merged, and nothing takes that back: its word is enough.
  if (note === MERGED && listLandedPulls(state).has(number))
    return [{ kind: "PullSettled", number, outcome: "merged" }];
  const pull = await repository.loadPull(number, "state");
  // What was closed is closed until `/resume`, whether it is open again or not; a merge is never taken back.
  if (known.settled === "closed" ? !pull.merged : pull.state === "open") return [];
  // A landing of ours whose answer was lost merged it, too: looked at first, or it would pass for a person's merge.
  const before = pull.merged && feature === null ? await observeTip(session) : [];
  const facts: Fact[] = [...before, { kind: "PullSettled", number, outcome: pull.merged ? "merged" : "closed" }];
  if (feature !== null && pull.merged && state.merged === null) {
    const { mergeCommit } = await repository.loadPull(number);
    facts.push(...(await observeHandMerge(session, mergeCommit ?? pull.head.sha)));
  }
  return facts;
}

/** A person merged the feature: what they merged is compared with what was verified. */
async function observeHandMerge(session: RunSession, commit: string): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const sha = (await repository.loadBranch(state.run.source)) ?? state.run.fork;
  const accepted = state.accepts.findLast((accept) => accept.accepted !== null && accept.stale === null);
  const merged = await repository.loadCommit(commit as typeof sha);
  return [
    { kind: "FeatureMerged", commit: merged.sha, how: "person", verified: accepted?.acceptedTree === merged.tree },
  ];
}
