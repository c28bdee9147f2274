import { formatBlobName } from "../../../src/contracts/blob-name.ts";
import type { Sha } from "../../../src/contracts/ids.ts";
import { DOCS } from "../links.ts";
import { commitOn, outcomeOf } from "../place.ts";
import { NO_SHA, type PortRow, row } from "./port-row.ts";

export const gitDataRows: readonly PortRow[] = [
  row("Objects are named by their content.", true, [DOCS.blobs], async ({ repository }) => {
    const blob = await repository.createBlob("text\n");
    return blob === formatBlobName("text\n") && Buffer.from(await repository.loadBlob(blob)).toString() === "text\n";
  }),
  row(
    "A tree keeps modes, and null takes a file out.",
    { mode: "100755", readme: false },
    [DOCS.trees],
    async ({ repository, main }) => {
      const blob = await repository.createBlob("text\n");
      const tree = await repository.createTree((await repository.loadCommit(main)).tree, [
        { path: "a/b.txt", mode: "100755", sha: blob },
        { path: "README.md", sha: null },
      ]);
      const entries = (await repository.loadTree(tree)) ?? [];
      return {
        mode: entries.find(({ path }) => path === "a/b.txt")?.mode,
        readme: entries.some(({ path }) => path === "README.md"),
      };
    },
  ),
  row("A commit says what it is made of.", true, [DOCS.commits], async ({ repository, main }) => {
    const { tree } = await repository.loadCommit(main);
    const message = "Say\n\nmore";
    const sha = await repository.createCommit({ tree, parents: [main], message });
    const read = await repository.loadCommit(sha);
    return JSON.stringify(read) === JSON.stringify({ sha, tree, parents: [main], message });
  }),
  row("A commit that is not there is a conflict.", "conflict", [DOCS.commits], ({ repository }) =>
    outcomeOf(repository.loadCommit(NO_SHA)),
  ),
  row(
    "A file is read at a branch or a commit, or is not there.",
    [true, true, null],
    [DOCS.contents],
    async ({ repository, main }) => [
      (await repository.loadFile("README.md", "main"))?.text.includes("Shop"),
      /^[0-9a-f]{40}$/u.test((await repository.loadFile("README.md", main))?.sha ?? ""),
      await repository.loadFile("nothing.md", "main"),
    ],
  ),
  row(
    "Two commits are compared from where they parted.",
    ["ahead", "behind", "identical", "unrelated", "diverged", [["README.md", "modified"]]],
    [DOCS.compare],
    async (place) => {
      const { repository, main } = place;
      const left = await commitOn(place, "taskfleet/left", { "left.txt": "1\n2\n" });
      const right = await commitOn(place, "taskfleet/right", { "README.md": "# Other\n" });
      const { tree } = await repository.loadCommit(left);
      const orphan = await repository.createCommit({ tree, parents: [], message: "Start over" });
      const compare = async (base: Sha, head: Sha): Promise<string> =>
        (await repository.loadComparison(base, head)).status;
      const apart = await repository.loadComparison(left, right);
      return [
        await compare(main, left),
        await compare(left, main),
        await compare(main, main),
        await compare(main, orphan),
        apart.status,
        apart.files.map(({ path, status }) => [path, status]),
      ];
    },
  ),
  row("A comparison has the patch of what was added.", ["added", true], [DOCS.compare], async (place) => {
    const head = await commitOn(place, "taskfleet/patch", { "patch.txt": "1\n2\n" });
    const { files } = await place.repository.loadComparison(place.main, head);
    return [files[0]?.status, files[0]?.patch?.includes("+2")];
  }),
];
