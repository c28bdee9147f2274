/** Puts the result of a local run into the person's repository, as new names only: nothing of theirs moves. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { EVIDENCE_ROOT } from "../../contracts/names.ts";
import { runGit, tryGit } from "../run-git.ts";
import { OVERLAID, type OwnStage } from "./own-stage.ts";

export interface HandedBack {
  /** One commit on top of theirs: the change alone, ready to be looked at and pushed. */
  readonly branch: string;
  /** Everything as it happened, with plan, captures and landings; no branch, so that it is not pushed by accident. */
  readonly history: string;
  readonly files: number;
}

/** @param head the local GitHub's branch that holds the result. @returns null when it changes nothing. */
export async function handBack(
  root: string,
  stage: Pick<OwnStage, "gitDir" | "start">,
  result: { readonly head: string; readonly run: string; readonly title: string },
): Promise<HandedBack | null> {
  const { start, gitDir } = stage;
  // Another first word than the branch: git would take `refs/<branch>` for the branch.
  const history = await findFree(root, `refs/taskfleet-history/${result.run}`);
  await runGit(root, ["fetch", "--quiet", "--no-tags", gitDir, `refs/heads/${result.head}:${history}`]);
  const tree = await buildTree(root, history, start);
  const changed = await runGit(root, ["diff-tree", "-r", "--name-only", start, tree]);
  if (changed === "") return null;
  const message = `${result.title}\n\nMade by a local Taskfleet run; its whole history is ${history}.`;
  const commit = await runGit(root, ["commit-tree", tree, "-p", start, "-F", "-"], {
    input: message,
    env: await buildIdentity(root),
  });
  const branch = await findFree(root, `refs/heads/taskfleet-sandbox/${result.run}`);
  await runGit(root, ["update-ref", branch, commit, ""]);
  return { branch: branch.slice("refs/heads/".length), history, files: changed.split("\n").length };
}

/** The result's tree without the run's evidence, and with what the set-up had changed as it was. */
async function buildTree(root: string, result: string, start: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "taskfleet-index-"));
  try {
    const env = { GIT_INDEX_FILE: path.join(folder, "index") };
    await runGit(root, ["read-tree", result], { env });
    const ours = [...OVERLAID, EVIDENCE_ROOT];
    await runGit(root, ["rm", "-r", "--force", "--quiet", "--cached", "--ignore-unmatch", "--", ...ours], { env });
    const theirs = await runGit(root, ["ls-tree", "-r", "-z", "--full-tree", start, "--", ...ours]);
    await runGit(root, ["update-index", "-z", "--index-info"], {
      input: theirs.endsWith("\0") || theirs === "" ? theirs : `${theirs}\0`,
      env,
    });
    return await runGit(root, ["write-tree"], { env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function findFree(root: string, name: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? name : `${name}-${n}`;
    if ((await tryGit(root, ["rev-parse", "--verify", "--quiet", free])) === null) return free;
  }
}

/** Theirs, where git knows them. */
async function buildIdentity(root: string): Promise<Readonly<Record<string, string>>> {
  if ((await tryGit(root, ["config", "user.email"])) !== null) return {};
  const [name, email] = ["Taskfleet", "taskfleet@localhost"];
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}
