import { readFile } from "node:fs/promises";
import { tryGit } from "../run-git.ts";
import type { WorkerPin } from "./setup-files.ts";

/** This program's version, as tags name it: `v1.2.3`. */
export async function loadVersion(): Promise<string> {
  const text = await readFile(new URL("../../../package.json", import.meta.url), "utf8");
  return `v${(JSON.parse(text) as { readonly version: string }).version}`;
}

/**
 * The commit of this version's release: an action pinned by its commit cannot be changed under a
 * repository's feet, a tag can. Where the release cannot be asked for, the tag.
 *
 * @param source the repository of the worker, anything `git ls-remote` takes.
 */
export async function resolveWorker(source: string, cwd: string): Promise<WorkerPin> {
  const version = await loadVersion();
  const answer = await tryGit(cwd, ["ls-remote", "--", source, `refs/tags/${version}`, `refs/tags/${version}^{}`]);
  const found = new Map(
    (answer ?? "").split("\n").flatMap((line): [string, string][] => {
      const [sha, ref] = line.split("\t");
      return sha === undefined || ref === undefined ? [] : [[ref, sha]];
    }),
  );
  // An annotated tag is an object of its own; what it points at is the commit.
  const sha = found.get(`refs/tags/${version}^{}`) ?? found.get(`refs/tags/${version}`);
  return { ref: sha ?? version, version };
}
