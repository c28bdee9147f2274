import { deriveAcceptStep, deriveCiDeadline } from "../../engine/derive/accept-progress.ts";
import type { Fact } from "../../engine/fact.ts";
import { formatFactKey } from "../../engine/fact-key.ts";
import { gatherCi, type GatheredCi } from "../../floor/gather-ci.ts";
import { loadCi } from "../load-ci.ts";
import type { RunSession } from "../run-session.ts";

/**
 * The repository's own checks on the accepted commit, when they are decided. What is merely late is no failure of
 * the feature: at the deadline people are shown what is missing, and it is looked at further. What is as it was known
 * to be is no news.
 */
export async function observeCi(session: RunSession): Promise<readonly Fact[]> {
  const { state, fleet } = session;
  const now = fleet.clock.now();
  const step = deriveAcceptStep(state, now);
  const accept = step.step === "ci" || step.step === "person" ? step.accept : null;
  if (accept === null || accept.accepted === null) return [];
  const commit = accept.accepted;
  const gathered = gatherCi(await loadCi(session, accept, commit));
  const late = now >= deriveCiDeadline(accept, state);
  if (gathered.state === "pending" && !late) return [];
  const fact: Fact = { kind: "CiGathered", n: accept.n, commit, state: gathered.state, rows: listRows(gathered) };
  return accept.ci !== null && formatFactKey({ ...fact, ...accept.ci }) === formatFactKey(fact) ? [] : [fact];
}

function listRows(gathered: GatheredCi): Extract<Fact, { kind: "CiGathered" }>["rows"] {
  return gathered.rows.map(({ name, state, detail }) => ({ name, state, detail, url: "" }));
}
