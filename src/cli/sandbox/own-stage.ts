/** A local GitHub with a clone of somebody's own repository on it. */
import { randomBytes } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { CONFIG_PATH, WORKFLOW_PATH } from "../../contracts/names.ts";
import type { Sandbox } from "../../sandbox/sandbox-options.ts";
import { startSandbox } from "../../sandbox/start-sandbox.ts";
import type { LocalAgent } from "../local-agent/choose-agent.ts";
import { installAgent } from "../local-agent/install-agent.ts";
import { runGit, tryGit } from "../run-git.ts";

export interface OwnStage {
  readonly sandbox: Sandbox;
  readonly dataDir: string;
  readonly owner: string;
  readonly repository: string;
  /** The person at the terminal. */
  readonly token: string;
  /** The branch the feature lands on, and the commit of theirs it starts from. */
  readonly source: string;
  readonly start: string;
  /** The local GitHub's bare repository. */
  readonly gitDir: string;
  close(): Promise<void>;
}

const owner = "you";
const login = "you-at-the-terminal";
const workerAction = "taskfleet/taskfleet/.github/actions/worker";

/**
 * Only commits are taken: what is not committed stays out. On top of theirs lies one commit that is never handed
 * back: our workflow, the configuration with the chosen agent, and none of their own workflows, which would run here.
 */
export async function buildOwnStage(options: {
  /** The repository's root. */
  readonly root: string;
  readonly agent: LocalAgent;
  readonly workerFolder: string;
}): Promise<OwnStage> {
  const { root, agent } = options;
  const start = await runGit(root, ["rev-parse", "--verify", "HEAD^{commit}"]);
  const source = (await tryGit(root, ["symbolic-ref", "--quiet", "--short", "HEAD"])) ?? "main";
  const folder = await mkdtemp(path.join(tmpdir(), "taskfleet-sandbox-"));
  try {
    const files = path.join(folder, "clone");
    await runGit(folder, ["clone", "--quiet", "--no-hardlinks", "--no-tags", "--no-checkout", root, files]);
    await runGit(files, ["checkout", "--quiet", "-B", source, start]);
    await overlay(files, agent);
    // The clone shows what it has under other names; the local GitHub takes its branches.
    await runGit(files, ["remote", "remove", "origin"]);
    const dataDir = path.join(folder, "app");
    await mkdir(dataDir);
    const worker = path.join(folder, "worker");
    await cp(options.workerFolder, worker, { recursive: true });
    const sandbox = await startSandbox({
      dataDir: path.join(folder, "github"),
      limits: "off",
      app: { id: 1001, slug: "taskfleet", name: "Taskfleet", webhookSecret: randomBytes(32).toString("hex") },
      runnerOptions: { actionOverrides: { [workerAction]: worker } },
    });
    sandbox.createUser(owner);
    const { token } = sandbox.createUser(login);
    const repository = path.basename(root).replaceAll(/[^\w.-]/gu, "-") || "repository";
    const { id } = await sandbox.createRepository({
      owner,
      name: repository,
      fromDir: files,
      defaultBranch: source,
      collaborators: { [login]: "admin" },
      secrets: agent.secrets,
      visibility: "private",
    });
    const gitDir = sandbox.world.repositories.get(id)?.git.dir ?? "";
    return {
      sandbox,
      dataDir,
      owner,
      repository,
      token,
      source,
      start,
      gitDir,
      close: async () => {
        await sandbox.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** What the overlay changes; the result has these as the person has them. */
export const OVERLAID: readonly string[] = [path.posix.dirname(WORKFLOW_PATH), CONFIG_PATH];

async function overlay(files: string, agent: LocalAgent): Promise<void> {
  const workflows = path.join(files, path.dirname(WORKFLOW_PATH));
  for (const name of await readdir(workflows).catch(() => []))
    await rm(path.join(workflows, name), { recursive: true });
  await mkdir(workflows, { recursive: true });
  await cp(
    fileURLToPath(new URL("../../worker/workflow/taskfleet.yml", import.meta.url)),
    path.join(files, WORKFLOW_PATH),
  );
  await installAgent(files, agent, { source: undefined, ci: { gather: false }, merge: { feature: "auto" } });
  await runGit(files, ["add", "--all", "--force", "--", ...OVERLAID]);
  const identity = { GIT_AUTHOR_NAME: "Taskfleet", GIT_AUTHOR_EMAIL: "taskfleet@localhost" };
  await runGit(files, ["commit", "--quiet", "--no-verify", "--allow-empty", "--message", "Set up a local run"], {
    env: {
      ...identity,
      GIT_COMMITTER_NAME: identity.GIT_AUTHOR_NAME,
      GIT_COMMITTER_EMAIL: identity.GIT_AUTHOR_EMAIL,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "commit.gpgSign",
      GIT_CONFIG_VALUE_0: "false",
    },
  });
}
