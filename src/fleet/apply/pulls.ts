import { GitHubFailure } from "../../contracts/errors.ts";
import { formatBranch, formatMarker } from "../../contracts/names.ts";
import { derivePullRevision } from "../../engine/derive/surfaces.ts";
import type { Fact } from "../../engine/fact.ts";
import type { Pull, RepositoryPort } from "../../github/port.ts";
import { renderChunkPull } from "../../messages/chunk-pull.ts";
import { renderFeaturePull } from "../../messages/feature-pull.ts";
import type { Action } from "../../engine/action.ts";
import type { WorkOf } from "./work-of.ts";
import type { RunSession } from "../run-session.ts";

export async function applyFeaturePull(
  session: RunSession,
  action: WorkOf<"OpenFeaturePull">,
): Promise<readonly Fact[]> {
  const { state, repository, fleet } = session;
  const { run, source } = state.run;
  const head = formatBranch({ kind: "integration", run });
  const text = renderFeaturePull(state, fleet.clock.now());
  const wanted = {
    head,
    base: source,
    title: text.title,
    body: `${text.body}\n\n${formatMarker({ run, key: "feature-pull" })}`,
    draft: true,
  };
  // One that a person reopened and merged is the feature's, too: there is nothing left that another could hold.
  const pull = await openPull(repository, wanted, action, (found) => isOpen(found) || found.merged);
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
  const text = renderChunkPull(state, chunk, attempt);
  const wanted = {
    head,
    base: formatBranch({ kind: "integration", run }),
    title: text.title,
    body: `${text.body}\n\n${formatMarker({ run, key: `chunk-pull:${chunk}` })}`,
    draft: false,
  };
  const pull = await openPull(repository, wanted, action, isOpen);
  return [{ kind: "ChunkPullOpened", effect: action.key, chunk, number: pull.number, url: pull.url }];
}

type Wanted = Parameters<RepositoryPort["createPull"]>[0];

/**
 * Opens a pull request, or takes the one that is there: GitHub has one open between two branches at most, and
 * people reopen what they closed.
 * @param serves which of those that are there will do.
 */
async function openPull(
  repository: RepositoryPort,
  wanted: Wanted,
  { probe }: Pick<Action, "probe">,
  serves: (pull: Pull) => boolean,
): Promise<Pull> {
  const find = async (): Promise<Pull | null> => {
    const pulls = (await repository.loadPullsByHead(wanted.head)).filter((pull) => pull.base.ref === wanted.base);
    return pulls.find(isOpen) ?? pulls.find(serves) ?? null;
  };
  const existing = probe ? await find() : null;
  if (existing !== null) return existing;
  try {
    return await repository.createPull(wanted);
  } catch (error) {
    // It exists already, or there is nothing between the two branches any more.
    if (!(error instanceof GitHubFailure) || error.details.status !== 422) throw error;
    const found = await find();
    if (found !== null) return found;
    if (!(await isUnseenPush(repository, wanted, error))) throw error;
    throw new GitHubFailure("transient", `GitHub does not see yet what was pushed: ${error.message}`, error.details);
  }
}

/** GitHub's words where one of the two branches is not there, or holds nothing that the other one does not. */
const UNSEEN = /no commits between|pullrequest (?:head|base) invalid|(?:head|base) (?:sha|ref) .*(?:invalid|blank)/iu;

/**
 * A pull request that is opened right after its push may be refused by what has not heard of the push
 * (github.com/kdlbs/kandev/pull/3134, github.com/gitbutlerapp/gitbutler/issues/4904): then GitHub contradicts what it
 * shows of the branches itself.
 */
async function isUnseenPush(repository: RepositoryPort, wanted: Wanted, refusal: GitHubFailure): Promise<boolean> {
  if (!UNSEEN.test(refusal.message)) return false;
  const base = await repository.loadBranch(wanted.base);
  const head = await repository.loadBranch(wanted.head);
  return base !== null && head !== null && (await repository.loadComparison(base, head)).aheadBy > 0;
}

function isOpen(pull: Pull): boolean {
  return pull.state === "open";
}
