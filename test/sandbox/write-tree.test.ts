import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { type GitRepository, closeGitRepository, createGitRepository } from "../../src/sandbox/git/git-repository.ts";
import { readGit } from "../../src/sandbox/git/run-git.ts";
import { writeObject } from "../../src/sandbox/git/write-object.ts";
import { writeTree } from "../../src/sandbox/git/write-tree.ts";

let folder: string;
let git: GitRepository;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sandbox-tree-"));
  git = await createGitRepository(join(folder, "a.git"), "main");
});
afterAll(async () => {
  await closeGitRepository(git);
  await rm(folder, { recursive: true, force: true });
});

/** The tree git itself makes of these files. */
async function buildByIndex(files: ReadonlyMap<string, string>): Promise<string> {
  const env = { GIT_INDEX_FILE: join(folder, "index") };
  await readGit(git.dir, ["read-tree", "--empty"], { env });
  const input = [...files].map(([path, sha]) => `100644 ${sha}\t${path}\0`).join("");
  await readGit(git.dir, ["update-index", "-z", "--add", "--index-info"], { env, input });
  return (await readGit(git.dir, ["write-tree"], { env })).trim();
}

// Names that sort differently as files and as folders: "a", "a.b", "a-b" against "a/".
const name = fc.constantFrom("a", "a.b", "a-b", "a0", "b", "ü");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));

/** Sets a file the way a working tree would: what stands in its way goes. */
function applyEdit(files: Map<string, string>, target: string, sha: string | null): void {
  for (const known of files.keys()) {
    const inTheWay =
      known === target || known.startsWith(`${target}/`) || (sha !== null && target.startsWith(`${known}/`));
    if (inTheWay) files.delete(known);
  }
  if (sha !== null) files.set(target, sha);
}

describe("a tree written by the sandbox", () => {
  it("is the tree git writes, whatever is added, replaced or removed", async () => {
    const edits = fc.array(fc.tuple(path, fc.option(fc.constantFrom("1", "2", "3"))), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(edits, async (list) => {
        const files = new Map<string, string>();
        let tree: string | null = null;
        for (const [target, text] of list) {
          const sha = text === null ? null : await writeObject(git, "blob", Buffer.from(text));
          applyEdit(files, target, sha);
          tree = await writeTree(git, tree, [{ path: target, entry: sha === null ? null : { mode: "100644", sha } }]);
        }
        expect(tree ?? (await writeTree(git, null, []))).toBe(await buildByIndex(files));
      }),
      { numRuns: 25 },
    );
  });

  it("is whole in git's own eyes", async () => {
    await expect(readGit(git.dir, ["fsck", "--strict"])).resolves.toBeDefined();
  });
});
