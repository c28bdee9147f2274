import type { Fact } from "../../engine/fact.ts";
import type { RunSession } from "../run-session.ts";

/** Merged or closed: by us, or by a person. */
export async function observePull(session: RunSession, number: number): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const feature = state.featurePull?.number === number ? state.featurePull : null;
  const known =
    feature ??
    Object.values(state.chunks)
      .flatMap((chunk) => chunk.pulls)
      .find((pull) => pull.number === number);
  if (known === undefined || known === null || known.settled !== null) return [];
  const pull = await repository.loadPull(number);
  if (pull.state === "open") return [];
  const facts: Fact[] = [{ kind: "PullSettled", number, outcome: pull.merged ? "merged" : "closed" }];
  if (feature !== null && pull.merged && state.merged === null)
    facts.push(...(await observeHandMerge(session, pull.mergeCommit ?? pull.head.sha)));
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
