import { type Commit, readCommit } from "../git/commit-object.ts";
import { listChangedPaths } from "../git/list-changed-paths.ts";
import { isAncestor, listCommits } from "../git/history.ts";
import { readBranch } from "../git/refs.ts";
import { serializeSimpleCommit } from "../serialize/serialize-run.ts";
import { formatRepositoryPage } from "../serialize/serialize-repository.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { Repository } from "../state/repository.ts";
import type { RefChange } from "./change-ref.ts";

const ZERO = "0".repeat(40);
/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#push: at most 2048 commits are listed. */
const MAX_COMMITS = 2048;
/** File lists cost a process each; beyond this they stay empty. */
const MAX_COMMITS_WITH_FILES = 20;

async function serializePushCommit(services: Services, repository: Repository, commit: Commit, index: number) {
  const parent = commit.parents[0];
  const modified =
    index < MAX_COMMITS_WITH_FILES && parent !== undefined
      ? await listChangedPaths(repository.git, parent, commit.sha)
      : [];
  return {
    ...serializeSimpleCommit(commit),
    distinct: true,
    url: `${formatRepositoryPage(services.urls, repository)}/commit/${commit.sha}`,
    added: [],
    removed: [],
    modified,
  };
}

/** What is new on the ref: since it was there before, or since it left the default branch. */
async function listNewCommits(repository: Repository, { name, before, after }: RefChange): Promise<Commit[]> {
  if (after === null) return [];
  if (before !== null) return listCommits(repository.git, before, after);
  if (name === `refs/heads/${repository.defaultBranch}`) return [];
  const base = await readBranch(repository.git, repository.defaultBranch);
  return base === null ? [] : listCommits(repository.git, base, after);
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#push, without the common properties. */
export async function buildPushPayload(
  services: Services,
  repository: Repository,
  sender: Account,
  change: RefChange,
): Promise<Record<string, unknown>> {
  const { git } = repository;
  const { before, after } = change;
  const commits = (await listNewCommits(repository, change)).slice(-MAX_COMMITS);
  const head = after === null ? null : await readCommit(git, after);
  const serialized = await Promise.all(
    commits.map((commit, index) => serializePushCommit(services, repository, commit, index)),
  );
  const range = `${(before ?? ZERO).slice(0, 12)}...${(after ?? ZERO).slice(0, 12)}`;
  return {
    ref: change.name,
    before: before ?? ZERO,
    after: after ?? ZERO,
    created: before === null,
    deleted: after === null,
    forced: before !== null && after !== null && !(await isAncestor(git, before, after)),
    base_ref: null,
    compare: `${formatRepositoryPage(services.urls, repository)}/compare/${range}`,
    commits: serialized,
    head_commit:
      head === null
        ? null
        : (serialized.at(-1) ?? (await serializePushCommit(services, repository, head, MAX_COMMITS_WITH_FILES))),
    pusher: { name: sender.login, email: `${sender.login}@users.noreply.github.com` },
  };
}
