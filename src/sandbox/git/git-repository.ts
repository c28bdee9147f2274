import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ObjectReader } from "./object-reader.ts";
import { readGit } from "./run-git.ts";
import { RECEIVE_HOOK } from "./receive-hook.ts";

/** A bare repository on disk and the reader that is kept open on it. */
export interface GitRepository {
  readonly dir: string;
  readonly objects: ObjectReader;
}

/** Makes an empty bare repository that behaves like GitHub's when it is cloned from and pushed to. */
export async function createGitRepository(dir: string, defaultBranch: string): Promise<GitRepository> {
  await mkdir(dir, { recursive: true });
  await readGit(dir, ["init", "--quiet", "--bare", `--initial-branch=${defaultBranch}`, "."]);
  const settings: readonly (readonly [string, string])[] = [
    ["http.receivepack", "true"],
    ["uploadpack.allowFilter", "true"],
    // Any reachable commit can be fetched by its SHA, as actions/checkout does.
    ["uploadpack.allowReachableSHA1InWant", "true"],
    ["uploadpack.allowAnySHA1InWant", "true"],
    // Pull request refs are GitHub's own: readable, not writable.
    ["receive.hideRefs", "refs/pull"],
    ["receive.fsckObjects", "true"],
    ["gc.auto", "0"],
    ["receive.autogc", "false"],
    ["core.logAllRefUpdates", "false"],
  ];
  for (const [name, value] of settings) await readGit(dir, ["config", name, value]);
  const hook = join(dir, "hooks", "update");
  await mkdir(join(dir, "hooks"), { recursive: true });
  await writeFile(hook, RECEIVE_HOOK);
  await chmod(hook, 0o755);
  return { dir, objects: new ObjectReader(dir) };
}
