import { appendFile, chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { holdGitHost, releaseGitHost } from "./git-host.ts";
import { ObjectReader } from "./object-reader.ts";
import { RefWriter } from "./ref-writer.ts";
import { readGit } from "./run-git.ts";
import { RECEIVE_HOOK } from "./receive-hook.ts";

/** A bare repository on disk and the processes that are kept open on it. */
export interface GitRepository {
  readonly dir: string;
  readonly objects: ObjectReader;
  readonly refs: RefWriter;
}

/** As a file, since nine calls of `git config` would be nine processes. */
const SETTINGS = `[http]
	receivepack = true
[uploadpack]
	allowFilter = true
	; any reachable commit can be fetched by its SHA, as actions/checkout does
	allowReachableSHA1InWant = true
	allowAnySHA1InWant = true
[receive]
	; pull request refs are GitHub's own: readable, not writable
	hideRefs = refs/pull
	fsckObjects = true
	autogc = false
[gc]
	auto = 0
[core]
	logAllRefUpdates = false
`;

/** Makes an empty bare repository that behaves like GitHub's when it is cloned from and pushed to. */
export async function createGitRepository(dir: string, defaultBranch: string): Promise<GitRepository> {
  await mkdir(dir, { recursive: true });
  await readGit(dir, ["init", "--quiet", "--bare", `--initial-branch=${defaultBranch}`, "."]);
  await appendFile(join(dir, "config"), SETTINGS);
  const hook = join(dir, "hooks", "update");
  await mkdir(join(dir, "hooks"), { recursive: true });
  await writeFile(hook, RECEIVE_HOOK);
  await chmod(hook, 0o755);
  holdGitHost();
  return { dir, objects: new ObjectReader(dir), refs: new RefWriter(dir) };
}

/** Ends the processes; the folder stays. */
export async function closeGitRepository(git: GitRepository): Promise<void> {
  await Promise.all([git.objects.close(), git.refs.close(), releaseGitHost()]);
}
