import { Buffer } from "node:buffer";
import { describe, expect, it } from "@jest/globals";
import { formatBlobName } from "../../src/contracts/blob-name.ts";
import { formatCommitMessage } from "../../src/contracts/commit-message.ts";
import type { Sha } from "../../src/contracts/ids.ts";
import { observeChunkBranch } from "../../src/fleet/observe/observe-chunk-branch.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";
import type { TreeEntry } from "../../src/github/port.ts";
import { buildAttemptNote } from "../../src/messages/attempt-note.ts";
import { failFloor, REGRESSION } from "../engine-stories/results.ts";
import { chunkId, fakeHash, fakeSha } from "../engine-stories/names.ts";
import { tellProposal } from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";

const months = chunkId("months");
const HEAD = fakeSha("somebody's head");

type File = string | Uint8Array | { readonly link: string } | { readonly submodule: Sha };
type Files = Readonly<Record<string, File>>;
const BASE: Files = { "README.md": "# Shop\n", "src/months.js": "one\n" };

/** A chunk's branch with a commit of this message on top of the integration branch. */
function openRun(
  story: Story,
  message: string,
  files: Files = { ...BASE, "src/months.js": "two\n" },
  related: "related" | "unrelated" = "related",
): RunSession {
  const { state } = story;
  const tip = state.integration?.tip ?? fakeSha("fork");
  const blobs = new Map<string, Uint8Array>();
  const list = (tree: Files): readonly TreeEntry[] =>
    Object.entries(tree).map(([path, file]) => {
      if (typeof file === "object" && "submodule" in file)
        return { path, mode: "160000", type: "commit", sha: file.submodule };
      const link = typeof file === "object" && "link" in file;
      const bytes = link ? Buffer.from(file.link) : typeof file === "string" ? Buffer.from(file) : file;
      const sha = formatBlobName(Buffer.from(bytes).toString("latin1"));
      blobs.set(sha, bytes);
      return { path, mode: link ? "120000" : "100644", type: "blob", sha };
    });
  const trees = new Map<string, readonly TreeEntry[]>([
    [tip, list(BASE)],
    [HEAD, list(files)],
  ]);
  const repository = {
    loadBranch: async () => HEAD,
    loadCommit: async (sha: Sha) => ({ sha, tree: sha, parents: [tip], message }),
    loadComparison: async () => ({ mergeBase: related === "related" ? tip : null }),
    loadTree: async (sha: Sha) => trees.get(sha) ?? [],
    loadBlob: async (sha: Sha) => blobs.get(sha) ?? new Uint8Array(),
  };
  return { state, repository } as unknown as RunSession;
}

/** What the App writes on an attempt's commit. */
const sign = (story: Story, n: number): string => formatCommitMessage(buildAttemptNote(story.state, months, n));

/** `months` has failed once; a person takes it. */
function tellTaken(): Story {
  const story = tellProposal().approve();
  story.start(months).receive(months).commit(months).floor(months, failFloor(REGRESSION));
  story.command("take", months);
  return story.record({ kind: "TakePrepared", chunk: months, base: story.attemptOf(months).head ?? HEAD, n: 1 });
}

describe("a commit on a chunk's branch", () => {
  it("is a person's attempt when they amended ours: the message stays, the work does not", async () => {
    const story = tellTaken();
    for (const by of ["will", null])
      expect(await observeChunkBranch(openRun(story, sign(story, 1)), months, by)).toMatchObject([
        { kind: "PersonPushed", attempt: 2, by: by ?? "somebody", head: HEAD, problems: [] },
      ]);
  });

  it("is a person's attempt whatever trailers it carries, also of attempts there never were", async () => {
    const story = tellTaken();
    const forge = (attempt: string): string =>
      formatCommitMessage({ subject: "Mine", run: story.run, attempt, ci: "skip" });
    for (const attempt of ["months/7", "months/0", "months/1.5", "months/", "months/x", "categories/1"])
      expect(await observeChunkBranch(openRun(story, forge(attempt)), months, "will")).toHaveLength(1);
  });

  it("is a person's refused attempt when nothing connects it with the integration branch", async () => {
    const story = tellTaken();
    const session = openRun(story, "Start over", { "other.txt": "other\n" }, "unrelated");
    const [fact, ...more] = await observeChunkBranch(session, months, "will");
    expect(more).toEqual([]);
    expect(fact).toMatchObject({ kind: "PersonPushed", base: story.state.integration?.tip, head: HEAD, files: [] });
    expect(fact).toMatchObject({ problems: [{ gate: 6, rule: "unrelated" }] });
  });

  it("is ours while the commit of a received change set is no fact yet, and after a person took the chunk over", async () => {
    const story = tellProposal().approve();
    story.start(months).receive(months);
    expect(await observeChunkBranch(openRun(story, sign(story, 1)), months, null)).toEqual([]);
    story.command("take", months);
    expect(await observeChunkBranch(openRun(story, sign(story, 1)), months, null)).toEqual([]);
    expect(await observeChunkBranch(openRun(story, "Build months by hand"), months, "will")).toHaveLength(1);
  });

  it("is ours where a lost store has forgotten the attempt, until a push tells of a person", async () => {
    const story = tellProposal().approve();
    const before = formatCommitMessage({ subject: "Ours", run: story.run, attempt: "months/2", ci: "skip" });
    story.record({ kind: "RunRebuilt", countBase: 1_000 });
    expect(await observeChunkBranch(openRun(story, before), months, null)).toEqual([]);
    expect(await observeChunkBranch(openRun(story, before), months, "will")).toHaveLength(1);
  });

  it.each<readonly [string, Files, string]>([
    ["a link out of the repository", { "src/months.js": { link: "../../../etc/passwd" } }, "symlink-escape"],
    ["a submodule", { "src/months.js": { submodule: fakeSha("elsewhere") } }, "submodule"],
    ["a key", { "src/months.js": `const key = "ghp_${fakeHash("key").slice(0, 36)}";\n` }, "secret"],
    [
      "a pointer to another store",
      { "src/months.js": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n" },
      "lfs-pointer",
    ],
    ["a file beyond the limit", { "src/months.bin": new Uint8Array(2 * 1024 * 1024 + 1).fill(255) }, "too-large"],
    ["files beyond the limit", numberFiles(17, "é".repeat(1024 * 1024)), "too-large"],
    ["too many files", numberFiles(1001, "x"), "too-many"],
    ["a workflow", { ".github/workflows/ci.yml": "on: push\n" }, "protected-file"],
    ["evidence of the App's", { ".taskfleet/7-budgets-per-category/plan.json": "{}\n" }, "protected-file"],
    ["names that are one on some disks", { "readme.md": "x\n" }, "case-collision"],
  ])("is refused for what refuses an agent's change set: %s", async (_, files, rule) => {
    const story = tellTaken();
    const run = openRun(story, "By hand", { ...BASE, ...files });
    const [fact] = await observeChunkBranch(run, months, "will");
    expect(fact?.kind === "PersonPushed" ? fact.problems.map((problem) => problem.rule) : []).toContain(rule);
  });

  it("may change nothing, or take files away", async () => {
    const story = tellTaken();
    expect(await observeChunkBranch(openRun(story, "By hand", BASE), months, "will")).toMatchObject([
      { files: [], problems: [] },
    ]);
    expect(
      await observeChunkBranch(openRun(story, "By hand", { "README.md": "# Shop\n" }), months, "will"),
    ).toMatchObject([{ files: [{ path: "src/months.js", kind: "delete" }], problems: [] }]);
  });
});

function numberFiles(count: number, text: string): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/part-${n}.js`, text]));
}
