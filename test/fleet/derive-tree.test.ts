import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { formatBlobName } from "../../src/contracts/blob-name.ts";
import type { Sha } from "../../src/contracts/ids.ts";
import { deriveTree } from "../../src/fleet/derive-tree.ts";
import type { TreeChange, TreeEntry } from "../../src/github/port.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-tree-"));
  git(["init", "--quiet", "--bare"]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function git(args: readonly string[], input = ""): string {
  const done = spawnSync("git", args, { cwd: folder, input, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
  return done.stdout.trim();
}

/** A tree as git makes it of these files, and as GitHub lists it. */
function makeTree(files: ReadonlyMap<string, Pick<TreeEntry, "mode" | "sha">>): { name: string; entries: TreeEntry[] } {
  git(["read-tree", "--empty"]);
  const lines = [...files].map(([file, { mode, sha }]) => `${mode} ${sha}\t${file}\n`);
  git(["update-index", "--add", "--index-info"], lines.join(""));
  const name = git(["write-tree", "--missing-ok"]);
  const entries = git(["ls-tree", "-r", "-t", "-z", name])
    .split("\0")
    .filter((line) => line !== "")
    .map((line): TreeEntry => {
      const [meta = "", file = ""] = line.split("\t");
      const [mode, type, sha] = meta.split(" ");
      return { path: file, mode: mode as TreeEntry["mode"], type: type as TreeEntry["type"], sha: sha as Sha };
    });
  return { name, entries };
}

/** Names whose order differs by whether they are folders, and by bytes. */
const names = fc.constantFrom("a", "a.b", "a-b", "ab", "é", "Z", "src");
const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const contents = fc.constantFrom("one\n", "two\n", "");
const modes = fc.constantFrom<"100644" | "100755">("100644", "100755");
const writes = fc.array(fc.record({ path: paths, mode: modes, content: contents }), { maxLength: 8 });

/** No file may stand where another one's folder stands. */
function listFitting<One extends { readonly path: string }>(all: readonly One[]): readonly One[] {
  const kept: One[] = [];
  for (const one of all)
    if (!kept.some(({ path: other }) => other.startsWith(`${one.path}/`) || one.path.startsWith(`${other}/`)))
      kept.push(one);
  return kept;
}

describe("a tree derived from another one and our changes", () => {
  it("has the name git gives it, and holds what git lists", () => {
    fc.assert(
      fc.property(writes, writes, fc.array(fc.nat(7), { maxLength: 3 }), (first, second, removed) => {
        const old = new Map(listFitting(first).map((one) => [one.path, one]));
        const written = listFitting([...old.values(), ...second]).filter((one) => second.includes(one));
        const gone = removed.flatMap((index) => [...old.keys()][index] ?? []);
        const files = new Map([...old].map(([file, one]) => [file, toEntry(one)]));
        const base = makeTree(files);
        const changes: TreeChange[] = [
          ...new Set(gone.filter((file) => !written.some((one) => one.path === file))),
        ].map((file) => ({ path: file, sha: null }));
        for (const { path: file } of changes) files.delete(file);
        for (const one of written) {
          changes.push(one);
          files.set(one.path, toEntry(one));
        }
        const expected = makeTree(files);
        const derived = deriveTree(base.entries, changes);
        expect(derived.name).toBe(expected.name);
        expect(derived.entries).toEqual(expected.entries);
      }),
      { numRuns: 30 },
    );
  });

  it("takes over blobs that are there already, also links and submodules", () => {
    const sha = formatBlobName("target");
    const module = "5".repeat(40) as Sha;
    const base = makeTree(new Map([["lib/module", { mode: "160000", sha: module }]]));
    const expected = makeTree(
      new Map([
        ["lib/module", { mode: "160000", sha: module }],
        ["lib/link", { mode: "120000", sha }],
      ]),
    );
    expect(deriveTree(base.entries, [{ path: "lib/link", mode: "120000", sha }])).toEqual(expected);
  });
});

function toEntry(one: {
  readonly mode: "100644" | "100755";
  readonly content: string;
}): Pick<TreeEntry, "mode" | "sha"> {
  return { mode: one.mode, sha: formatBlobName(one.content) };
}
