import { GitHubFailure } from "../../contracts/errors.ts";
import type { Sha } from "../../contracts/ids.ts";
import { formatBranch } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import type { Pull, RepositoryPort } from "../../github/port.ts";
import { listLandedPulls } from "../list-landed-pulls.ts";
import { MERGED } from "../inbox/route-delivery.ts";
import type { RunSession } from "../run-session.ts";
import { readTip } from "./tip.ts";

/**
 * Merged or closed: by us, or by a person.
 * @param note `merged` when a webhook said so.
 * @throws GitHubFailure transient while GitHub calls it merged and does not show what the merge brought.
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
  // Nothing takes a merge back: a replica has not heard of it.
  if (note === MERGED && !pull.merged)
    throw new GitHubFailure("transient", `GitHub does not show yet that #${number} was merged, as its webhook says.`);
  // What was closed is closed until `/resume`, whether it is open again or not; a merge is never taken back.
  if (known.settled === "closed" ? !pull.merged : pull.state === "open") return [];
  if (!pull.merged) return [{ kind: "PullSettled", number, outcome: "closed" }];
  if (feature === null) return observeChunkMerge(session, pull);
  const settled: Fact = { kind: "PullSettled", number, outcome: "merged" };
  return state.merged === null ? [settled, await observeHandMerge(session, pull)] : [settled];
}

/**
 * Others build on what has landed: that GitHub calls a chunk merged is not enough, the integration branch must be seen
 * to hold it. A merge that is not seen there when reads cannot lag behind it any more has been removed again.
 */
async function observeChunkMerge(session: RunSession, pull: Pull): Promise<readonly Fact[]> {
  const { state, fleet } = session;
  const { number } = pull;
  const merged: Fact = { kind: "PullSettled", number, outcome: "merged" };
  if (listLandedPulls(state).has(number)) return [merged];
  if (pull.base.ref !== formatBranch({ kind: "integration", run: state.run.run }))
    return [{ kind: "PullSettled", number, outcome: "closed", lost: "elsewhere" }];
  const mayLag = isRecent(session, pull);
  // A landing of ours whose answer was lost merged it, too: looked at first, or it would pass for a person's merge.
  const { head, facts } = await readTip(session);
  // Nothing builds on it any more, and the branch may be gone.
  if (state.merged !== null || state.cancelled !== null || state.ended !== null) return [...facts, merged];
  if (head === null) return observeWithoutBranch(session, pull, facts);
  if (await holds(session.repository, head, pull)) return [...facts, merged];
  if (mayLag)
    throw new GitHubFailure("transient", `GitHub does not show yet on the integration branch what #${number} brought.`);
  fleet.log.warn({ run: state.run.run, pull: number }, "a merged pull request is not on the integration branch");
  return [...facts, { kind: "PullSettled", number, outcome: "closed", lost: "removed" }];
}

/** That the integration branch is gone proves nothing: the feature was merged, or it is put back where it was. */
async function observeWithoutBranch(session: RunSession, pull: Pull, facts: readonly Fact[]): Promise<readonly Fact[]> {
  const { featurePull: feature, integration } = session.state;
  const merged: Fact = { kind: "PullSettled", number: pull.number, outcome: "merged" };
  const ofFeature = feature === null ? [] : await observePull(session, feature.number, null);
  if (ofFeature.some((fact) => fact.kind === "FeatureMerged")) return [...ofFeature, merged];
  return integration !== null && (await holds(session.repository, integration.tip, pull)) ? [...facts, merged] : facts;
}

/** Whether a merged pull request's commits lead to a head. */
export async function holds(repository: RepositoryPort, head: Sha, pull: Pull): Promise<boolean> {
  const isIn = async (commit: Sha): Promise<boolean> =>
    commit === head || ["ahead", "identical"].includes((await repository.loadComparison(commit, head)).status);
  if (await isIn(pull.head.sha)) return true;
  // Squashed or rebased, it is another commit.
  const { mergeCommit } = pull.mergeCommit === null ? await repository.loadPull(pull.number) : pull;
  return mergeCommit !== null && isIn(mergeCommit);
}

/**
 * A person merged the feature: what they merged is compared with what was verified. What cannot be looked at, since
 * GitHub names no commit however long it is asked, is not called verified.
 */
async function observeHandMerge(session: RunSession, pull: Pull): Promise<Fact> {
  const { state, repository } = session;
  const mayLag = isRecent(session, pull);
  const commit = pull.mergeCommit ?? (await repository.loadPull(pull.number)).mergeCommit;
  if (commit === null) {
    if (mayLag) throw new GitHubFailure("transient", "GitHub does not say yet which commit the merge made.");
    return { kind: "FeatureMerged", commit: pull.head.sha, how: "person", verified: false };
  }
  const accepted = state.accepts.findLast((accept) => accept.accepted !== null && accept.stale === null);
  const { tree } = await repository.loadCommit(commit);
  return { kind: "FeatureMerged", commit, how: "person", verified: accepted?.acceptedTree === tree };
}

/** Whether reads may not show yet what its merge did. Asked before they are: an answer may be long on its way. */
function isRecent({ fleet }: RunSession, { mergedAt }: Pull): boolean {
  return mergedAt !== null && fleet.clock.now() < mergedAt + fleet.timing.staleReadMs;
}
