import { decide } from "../../engine/decide.ts";
import type { Fact } from "../../engine/fact.ts";
import type { CheckOutput } from "../../github/port.ts";
import { renderCheck } from "../../messages/check.ts";
import type { WorkOf } from "./work-of.ts";
import type { RunSession } from "../run-session.ts";
import { findRow } from "../../engine/table.ts";

export async function applyCheck(session: RunSession, action: WorkOf<"PublishCheck">): Promise<readonly Fact[]> {
  const { state, repository, fleet } = session;
  const { externalId, name, sha, revision } = action;
  const now = fleet.clock.now();
  const waits = action.subject.kind === "run" ? decide(state, now, fleet.timing).waits : [];
  const text = renderCheck(state, action.subject, now, waits);
  const output: CheckOutput = { ...text, name, sha, externalId };
  // A lost store forgot which checks there are, and the same commits are judged again.
  const mayExist = action.probe || state.countBase > 0;
  const known = findRow(state.checks, externalId) ?? (mayExist ? await findCheck(session, action) : null);
  if (known !== null) {
    await repository.updateCheck(known.id, output);
    return [{ kind: "CheckPublished", effect: action.key, externalId, id: known.id, url: known.url, revision }];
  }
  const { id, url } = await repository.createCheck(output);
  return [{ kind: "CheckPublished", effect: action.key, externalId, id, url, revision }];
}

async function findCheck(
  session: RunSession,
  action: WorkOf<"PublishCheck">,
): Promise<{ readonly id: number; readonly url: string } | null> {
  const { id: appId } = await session.fleet.github.loadApp();
  const runs = await session.repository.loadCheckRuns(action.sha);
  return runs.find((run) => run.appId === appId && run.externalId === action.externalId) ?? null;
}
