import { formatBranch, formatMarker } from "../../contracts/names.ts";
import { derivePullRevision } from "../../engine/derive/surfaces.ts";
import type { Fact } from "../../engine/fact.ts";
import type { Pull } from "../../github/port.ts";
import { renderChunkPull } from "../../messages/chunk-pull.ts";
import { renderFeaturePull } from "../../messages/feature-pull.ts";
import type { WorkOf } from "./work-of.ts";
import type { RunSession } from "../run-session.ts";

export async function applyFeaturePull(
  session: RunSession,
  action: WorkOf<"OpenFeaturePull">,
): Promise<readonly Fact[]> {
  const { state, repository, fleet } = session;
  const { run, source } = state.run;
  const head = formatBranch({ kind: "integration", run });
  const existing = action.probe ? await findOpenPull(session, head) : null;
  const text = renderFeaturePull(state, fleet.clock.now());
  const pull =
    existing ??
    (await repository.createPull({
      head,
      base: source,
      title: text.title,
      body: `${text.body}\n\n${formatMarker({ run, key: "feature-pull" })}`,
      draft: true,
    }));
  return [{ kind: "FeaturePullOpened", effect: action.key, number: pull.number, nodeId: pull.nodeId, url: pull.url }];
}

export async function applyFeatureBody(session: RunSession): Promise<readonly Fact[]> {
  const { state, repository, fleet } = session;
  const now = fleet.clock.now();
  const revision = derivePullRevision(state, now);
  if (state.featurePull === null) return [];
  const text = renderFeaturePull(state, now);
  const body = `${text.body}\n\n${formatMarker({ run: state.run.run, key: "feature-pull" })}`;
  await repository.updatePull(state.featurePull.number, { body });
  return [{ kind: "FeaturePullUpdated", revision }];
}

export async function applyChunkPull(session: RunSession, action: WorkOf<"OpenChunkPull">): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const { chunk, attempt } = action;
  const { run } = state.run;
  const head = formatBranch({ kind: "chunk", run, chunk });
  const existing = action.probe ? await findOpenPull(session, head) : null;
  const text = renderChunkPull(state, chunk, attempt);
  const pull =
    existing ??
    (await repository.createPull({
      head,
      base: formatBranch({ kind: "integration", run }),
      title: text.title,
      body: `${text.body}\n\n${formatMarker({ run, key: `chunk-pull:${chunk}` })}`,
      draft: false,
    }));
  return [{ kind: "ChunkPullOpened", effect: action.key, chunk, number: pull.number, url: pull.url }];
}

async function findOpenPull(session: RunSession, head: string): Promise<Pull | null> {
  const pulls = await session.repository.loadPullsByHead(head);
  return pulls.find((pull) => pull.state === "open") ?? null;
}
