/** The difference between two commits, and what of it has to be read. */
import { describe, expect, it } from "@jest/globals";
import { parseSha } from "../../src/contracts/ids.ts";
import { loadChanges } from "../../src/fleet/results/load-changes.ts";
import { buildReviewedChange } from "../../src/fleet/results/reviewed-change.ts";
import type { RepositoryPort, TreeEntry } from "../../src/github/port.ts";
import type { ReviewedChange } from "../../src/review/locate-evidence.ts";

const BEFORE = parseSha("a".repeat(40));
const AFTER = parseSha("b".repeat(40));

interface File {
  readonly bytes: Uint8Array;
  readonly mode?: TreeEntry["mode"];
}
type Files = Readonly<Record<string, File>>;

const text = (content: string, mode?: TreeEntry["mode"]): File => ({
  bytes: Buffer.from(content),
  ...(mode === undefined ? {} : { mode }),
});

/** Two trees whose blobs are named by side and path. */
function open(before: Files, after: Files): RepositoryPort {
  const sides = new Map([
    [BEFORE, before],
    [AFTER, after],
  ]);
  const blobs = new Map<string, Uint8Array>();
  const port: Partial<RepositoryPort> = {
    loadCommit: (sha) => Promise.resolve({ sha, tree: sha, parents: [], message: "" } as never),
    loadTree: (tree) =>
      Promise.resolve(
        Object.entries(sides.get(tree) ?? {}).map(([path, { bytes, mode = "100644" }]) => {
          const sha = parseSha(Buffer.from(path).toString("hex").padEnd(40, tree.slice(0, 1)).slice(0, 40));
          blobs.set(sha, bytes);
          return { path, mode, type: mode === "160000" ? "commit" : "blob", sha };
        }),
      ),
    loadBlob: (sha) => Promise.resolve(blobs.get(sha) ?? new Uint8Array()),
  };
  return port as RepositoryPort;
}

/** What a reviewer has to have read when GitHub shows no patch of anything. */
async function listReadable(before: Files, after: Files): Promise<readonly string[]> {
  const { changes } = await loadChanges(open(before, after), BEFORE, AFTER, ".taskfleet/1-x");
  const reviewed = changes.map((change): ReviewedChange => buildReviewedChange(change, null));
  return reviewed.filter((change) => change.isText).map((change) => change.path);
}

describe("what has to be read of a change that GitHub shows no patch of", () => {
  const old = text("old\n");
  it.each<[string, Files, Files, readonly string[]]>([
    ["a modified file", { a: old }, { a: text("new\n") }, ["a"]],
    ["a new file", {}, { a: text("new\n") }, ["a"]],
    ["a file of more than a megabyte", { a: old }, { a: text("x".repeat(1024 * 1024 + 1)) }, ["a"]],
    ["text in an old encoding", { a: old }, { a: { bytes: Buffer.from("gr\u00fc\u00dfe", "latin1") } }, ["a"]],
    ["a link", { a: old }, { a: text("b", "120000") }, ["a"]],
    ["a picture", { a: old }, { a: { bytes: Buffer.from([137, 80, 78, 71, 0, 0]) } }, []],
    ["a file that goes", { a: old }, {}, []],
    ["a submodule", {}, { a: text("", "160000") }, []],
    ["the App's own files", {}, { ".taskfleet/1-x/plan.json": text("{}") }, []],
  ])("%s", async (_, before, after, expected) => {
    expect(await listReadable(before, after)).toEqual(expected);
  });

  it("leaves a link unknown whose target is no text, so that the gate refuses it", async () => {
    const link: File = { bytes: Buffer.from("../../\u00ff", "latin1"), mode: "120000" };
    const { changes } = await loadChanges(open({}, { a: link }), BEFORE, AFTER, ".taskfleet/1-x");
    expect(changes).toEqual([{ path: "a", previousPath: null, kind: "add", mode: "120000", content: "text" }]);
  });

  it("is no less than of one that it shows, and lines that only go are a change, too", () => {
    const change = { path: "a", previousPath: null, kind: "modify", mode: "100644", content: "text" } as const;
    const patch = "@@ -1,2 +1,1 @@\n one\n-two";
    expect(buildReviewedChange(change, patch)).toMatchObject({ addedLines: [], isText: true });
  });
});
