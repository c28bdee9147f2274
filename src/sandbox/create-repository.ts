import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildSignature } from "./git/actor-signature.ts";
import { writeCommit } from "./git/commit-object.ts";
import { createGitRepository } from "./git/git-repository.ts";
import { writeRef } from "./git/refs.ts";
import { readGit } from "./git/run-git.ts";
import { ensureWorkflow, loadWorkflows } from "./runs/load-workflows.ts";
import type { RepositoryOptions } from "./sandbox-options.ts";
import { serializeInstallation } from "./serialize/serialize-app.ts";
import { serializeAccount } from "./serialize/serialize-account.ts";
import type { Services } from "./services.ts";
import type { Account } from "./state/account.ts";
import type { Installation } from "./state/app.ts";
import { formatNodeId } from "./state/ids.ts";
import { formatFullName, type Repository } from "./state/repository.ts";

interface OwnersInstallation {
  readonly installation: Installation;
  /** Made for this owner just now. */
  readonly fresh: boolean;
}

/** The installation on the owner's account; the first account takes the one made at the start. */
function ensureInstallation(services: Services, owner: Account): OwnersInstallation {
  const { world } = services;
  const all = [...world.installations.values()].filter(({ appId }) => appId === world.app.id);
  const known = all.find(({ account }) => account?.id === owner.id);
  if (known !== undefined) return { installation: known, fresh: false };
  const installation = all.find(({ account }) => account === null) ?? {
    id: world.ids.take("installation"),
    appId: world.app.id,
    account: owner,
    createdAt: world.now(),
    suspendedAt: null,
  };
  installation.account = owner;
  world.installations.set(installation.id, installation);
  return { installation, fresh: true };
}

/** Takes over branches and tags of a git repository, or commits a plain folder's files. */
async function fillRepository(services: Services, repository: Repository, from: string): Promise<void> {
  const { dir } = repository.git;
  const source = resolve(from);
  if (existsSync(join(source, ".git")) || existsSync(join(source, "HEAD"))) {
    await readGit(dir, ["fetch", "--quiet", source, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"], {
      env: { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" },
    });
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "sandbox-index-"));
  try {
    const env = { GIT_DIR: dir, GIT_WORK_TREE: source, GIT_INDEX_FILE: join(folder, "index") };
    await readGit(source, ["add", "--all", "."], { env });
    const tree = (await readGit(source, ["write-tree"], { env })).trim();
    const signature = buildSignature(repository.owner, services.world.now());
    const sha = await writeCommit(repository.git, {
      tree,
      parents: [],
      author: signature,
      committer: signature,
      message: "Initial commit",
    });
    await writeRef(repository.git, `refs/heads/${repository.defaultBranch}`, null, sha);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A new installation lists its repositories; an older one is told of an added one.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation
 */
function announceRepository(
  services: Services,
  repository: Repository,
  { installation, fresh }: OwnersInstallation,
): void {
  const listed = [
    {
      id: repository.id,
      node_id: formatNodeId("R", repository.id),
      name: repository.name,
      full_name: formatFullName(repository),
      private: repository.private,
    },
  ];
  const common = {
    installation: serializeInstallation(services, installation),
    requester: null,
    sender: serializeAccount(services.urls, repository.owner),
  };
  if (fresh) {
    services.webhooks.emit({
      event: "installation",
      action: "created",
      repositoryId: null,
      installationId: installation.id,
      payload: { action: "created", ...common, repositories: listed },
    });
    return;
  }
  services.webhooks.emit({
    event: "installation_repositories",
    action: "added",
    repositoryId: null,
    installationId: installation.id,
    payload: {
      action: "added",
      ...common,
      repository_selection: "all",
      repositories_added: listed,
      repositories_removed: [],
    },
  });
}

/** Makes a repository with the App installed on it. */
export async function createRepository(services: Services, options: RepositoryOptions): Promise<Repository> {
  const { world } = services;
  const owner = world.findAccount(options.owner) ?? world.addAccount(options.owner, "Organization");
  if (world.findRepository(options.owner, options.name) !== null) {
    throw new Error(`the repository ${options.owner}/${options.name} exists already`);
  }
  const id = world.ids.take("repository");
  const defaultBranch = options.defaultBranch ?? "main";
  const now = world.now();
  const git = await createGitRepository(join(services.dataDir, "repositories", `${id}.git`), defaultBranch);
  const repository: Repository = {
    id,
    owner,
    name: options.name,
    description: options.description ?? null,
    private: options.visibility === "private",
    archived: false,
    defaultBranch,
    git,
    collaborators: new Map(),
    secrets: new Map(Object.entries(options.secrets ?? {})),
    sharedSecrets: new Map(),
    variables: new Map(Object.entries(options.variables ?? {})),
    actionsEnabled: true,
    allowedMergeMethods: new Set(["merge", "squash", "rebase"]),
    squashMessage: "COMMIT_MESSAGES",
    deleteBranchOnMerge: false,
    rules: [...(options.rules ?? [])],
    createdAt: now,
    pushedAt: now,
    nextNumber: 1,
    labels: new Map(),
    issues: new Map(),
    comments: new Map(),
    events: [],
    pulls: new Map(),
    reviews: new Map(),
    reviewComments: new Map(),
    checkSuites: new Map(),
    checkRuns: new Map(),
    statuses: [],
    workflows: new Map(),
    runs: new Map(),
    jobs: new Map(),
    artifacts: new Map(),
    signedCommits: new Set(),
  };
  for (const [login, role] of Object.entries(options.collaborators)) {
    repository.collaborators.set((world.findAccount(login) ?? world.addAccount(login, "User")).id, role);
  }
  await fillRepository(services, repository, options.fromDir);
  world.repositories.set(id, repository);
  for (const { path } of await loadWorkflows(repository, `refs/heads/${defaultBranch}`)) {
    ensureWorkflow(services, repository, path);
  }
  announceRepository(services, repository, ensureInstallation(services, owner));
  return repository;
}
