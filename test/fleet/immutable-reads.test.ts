import { beforeEach, describe, expect, it } from "@jest/globals";
import { formatBlobName } from "../../src/contracts/blob-name.ts";
import type { Sha } from "../../src/contracts/ids.ts";
import { ImmutableReads } from "../../src/fleet/immutable-reads.ts";
import type { RepositoryPort, TreeEntry } from "../../src/github/port.ts";

const commit = "c".repeat(40) as Sha;
const tree = "d".repeat(40) as Sha;
const text = "export const a = 1;\n";

let asked: string[];
let repository: RepositoryPort;

beforeEach(() => {
  asked = [];
  const entry: TreeEntry = { path: "src/a.js", mode: "100644", type: "blob", sha: formatBlobName(text) };
  const link: TreeEntry = { path: "link", mode: "120000", type: "blob", sha: formatBlobName("src/a.js") };
  const answers: Readonly<Record<string, unknown>> = {
    loadCommit: { sha: commit, tree, parents: [], message: "m" },
    loadTree: [entry, link],
    loadBlob: new TextEncoder().encode(text),
    loadFile: { sha: formatBlobName("asked"), text: "asked" },
    createBlob: formatBlobName(text),
    createTree: tree,
    createCommit: commit,
  };
  const port = new Proxy(
    {},
    {
      get: (_, name) =>
        name === "ref"
          ? { id: 5 }
          : (...args: readonly unknown[]) => {
              asked.push(`${String(name)} ${String(args[0])}`);
              return Promise.resolve(answers[String(name)]);
            },
      ownKeys: () => ["ref", ...Object.keys(answers)],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  );
  repository = new ImmutableReads().wrap(port as RepositoryPort);
});

describe("what never changes", () => {
  it("is asked for once", async () => {
    await Promise.all([repository.loadCommit(commit), repository.loadCommit(commit)]);
    await repository.loadCommit(commit);
    expect(asked).toEqual([`loadCommit ${commit}`]);
  });

  it("is not asked for when we wrote it", async () => {
    await repository.createTree(null, [{ path: "src/a.js", mode: "100644", content: text }]);
    const made = await repository.createCommit({ tree, parents: [], message: "m" });
    expect(await repository.loadCommit(made)).toEqual({ sha: commit, tree, parents: [], message: "m" });
    expect(Buffer.from(await repository.loadBlob(formatBlobName(text))).toString()).toBe(text);
    expect(asked.filter((line) => line.startsWith("load"))).toEqual([]);
  });

  it("is written once, whoever is handed it", async () => {
    await repository.createBlob(text);
    expect(await repository.createBlob(text)).toBe(formatBlobName(text));
    expect(asked.filter((line) => line.startsWith("createBlob"))).toHaveLength(1);
  });

  it("is derived from what it was made of only where its name proves it", async () => {
    await repository.createTree(null, [{ path: "src/a.js", mode: "100644", content: text }]);
    // The port above names every tree the same, which is not what this content is called.
    await repository.loadTree(tree);
    expect(asked).toContain(`loadTree ${tree}`);
  });

  it("makes a file of a commit known, when its tree and content are", async () => {
    await repository.createBlob(text);
    await repository.createCommit({ tree, parents: [], message: "m" });
    await repository.loadTree(tree);
    expect(await repository.loadFile("src/a.js", commit)).toEqual({ sha: formatBlobName(text), text });
    expect(asked.some((line) => line.startsWith("loadFile"))).toBe(false);
  });

  it("is asked for where a branch is named, a link stands, or something is not known", async () => {
    await repository.createBlob("src/a.js");
    await repository.createCommit({ tree, parents: [], message: "m" });
    await repository.loadTree(tree);
    for (const [path, ref] of [
      ["src/a.js", "main"],
      ["link", commit],
      ["src/a.js", commit],
      ["nowhere.js", commit],
    ] as const)
      expect(await repository.loadFile(path, ref)).toMatchObject({ text: "asked" });
    expect(asked.filter((line) => line.startsWith("loadFile"))).toHaveLength(4);
  });
});
