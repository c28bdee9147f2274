import { parseTrailer } from "../../contracts/commit-message.ts";
import type { Sha } from "../../contracts/ids.ts";
import { findPassedCandidate, listVerified } from "../../engine/derive/landing-queue.ts";
import type { Fact } from "../../engine/fact.ts";
import type { RunState } from "../../engine/state.ts";
import type { Commit } from "../../github/port.ts";
import type { RunSession } from "../run-session.ts";
import { ACCEPT_TRAILER, createAcceptTree, listAcceptParents } from "./accept-commit.ts";
import { createPlanTree, PLAN_HASH_TRAILER, preparePlan } from "./plan-commit.ts";

/** So many commits people may have put on top of ours before anybody looked. */
const MOST_ON_TOP = 20;

type OwnCommit = Extract<Fact, { kind: "ChunksLanded" | "AcceptCommitted" | "PlanCommitted" }>;

/**
 * A commit of ours on the integration branch, at its head or below what people pushed since, whose answer was lost or
 * whose process died before it could note it: taken for somebody else's push, what has landed or was accepted would be
 * built, judged and paid once more.
 * A message alone proves nothing, since people may amend our commits: the very tree must be the one that was decided.
 */
export async function findOwnCommit(session: RunSession, head: Sha): Promise<OwnCommit | null> {
  const tip = session.state.integration?.tip;
  const commit = tip === undefined ? null : await findOnTip(session, head, tip);
  if (tip === undefined || commit === null) return null;
  return (
    (await findLanding(session, commit, tip)) ??
    (await findAccept(session, commit)) ??
    (await findPlan(session, commit, tip))
  );
}

/** What was put on the tip first, of all that led from there to the head; null when nothing did, or too much. */
async function findOnTip({ repository }: RunSession, head: Sha, tip: Sha): Promise<Commit | null> {
  let next: Sha | undefined = head;
  for (let count = 0; count <= MOST_ON_TOP && next !== undefined; count += 1) {
    const commit: Commit = await repository.loadCommit(next);
    // What people merge into a branch, as with "Update branch", comes second.
    [next] = commit.parents;
    if (next === tip) return commit;
  }
  return null;
}

async function findLanding({ state, repository }: RunSession, commit: Commit, tip: Sha): Promise<OwnCommit | null> {
  const verified = commit.parents[1];
  if (verified === undefined) return null;
  const landing = findVerified(state, verified, tip);
  if (landing === null || (await repository.loadCommit(verified)).tree !== commit.tree) return null;
  return { kind: "ChunksLanded", commit: commit.sha, tree: commit.tree, ...landing };
}

/** What a landing of this commit on that tip would have brought. */
function findVerified(
  state: RunState,
  verified: Sha,
  tip: Sha,
): Pick<Extract<Fact, { kind: "ChunksLanded" }>, "chunks" | "document" | "via"> | null {
  const waiting = listVerified(state);
  const direct = waiting.find(({ attempt, head }) => head === verified && attempt.base === tip);
  if (direct !== undefined)
    return { chunks: [direct.chunk.id], document: direct.attempt.floor?.document ?? "", via: "direct" };
  const passed = findPassedCandidate(state, waiting, tip);
  if (passed === null || passed.candidate.commit !== verified) return null;
  return { chunks: passed.candidate.chunks, document: passed.document, via: "candidate" };
}

async function findAccept(session: RunSession, commit: Commit): Promise<OwnCommit | null> {
  const accept = session.state.accepts.at(-1);
  if (
    accept === undefined ||
    accept.accepted !== null ||
    parseTrailer(commit.message, ACCEPT_TRAILER) !== `${accept.n}`
  )
    return null;
  if (listAcceptParents(accept).join() !== commit.parents.join()) return null;
  const tree = await createAcceptTree(session, accept);
  return tree === commit.tree ? { kind: "AcceptCommitted", n: accept.n, commit: commit.sha, tree } : null;
}

async function findPlan(session: RunSession, commit: Commit, tip: Sha): Promise<OwnCommit | null> {
  const prepared = preparePlan(session.state);
  if (prepared === null || parseTrailer(commit.message, PLAN_HASH_TRAILER) !== prepared.hash) return null;
  if ((await createPlanTree(session, prepared, tip)) !== commit.tree) return null;
  return { kind: "PlanCommitted", ...prepared, commit: commit.sha };
}
