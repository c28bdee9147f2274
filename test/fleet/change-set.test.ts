/** An agent's change set is committed where its chunk's branch was left, and over nobody's work. */
import { describe, expect, it } from "@jest/globals";
import { formatBlobName } from "../../src/contracts/blob-name.ts";
import { formatCommitMessage } from "../../src/contracts/commit-message.ts";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import type { Sha } from "../../src/contracts/ids.ts";
import type { Fact } from "../../src/engine/fact.ts";
import { applyChangeSet } from "../../src/fleet/apply/change-set.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";
import { buildAttemptNote } from "../../src/messages/attempt-note.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { tellProposal } from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";

const months = chunkId("months");
const THEIRS = fakeSha("somebody's head");
const TREE = fakeSha("the attempt's tree");

interface Head {
  readonly sha: Sha;
  readonly message: string;
  readonly tree: Sha;
}

/** `months` has a change set that is not committed; its branch is at this head, whatever we believe. */
async function commit(
  head: (story: Story) => Head | null,
): Promise<{ readonly facts: readonly Fact[]; readonly parents: ReadonlyArray<readonly Sha[]> }> {
  const story = tellProposal().approve();
  story.start(months).receive(months);
  const { state } = story;
  const tip = state.integration?.tip ?? fakeSha("none");
  const found = head(story);
  const parents: Array<readonly Sha[]> = [];
  const made = fakeSha("made");
  const file = (text: string) => [{ path: "src/months.js", mode: "100644", type: "blob", sha: formatBlobName(text) }];
  const repository = {
    loadBranch: async () => found?.sha ?? null,
    loadCommit: async (sha: Sha) =>
      sha === found?.sha
        ? { ...found, parents: [tip] }
        : { sha, tree: fakeSha("tip's tree"), parents: [], message: "" },
    loadComparison: async (base: Sha, top: Sha) => ({ status: top === base ? "identical" : "ahead", mergeBase: tip }),
    loadTree: async (tree: Sha) => file(tree === found?.tree ? "two\n" : "one\n"),
    loadBlob: async () => new TextEncoder().encode("two\n"),
    createTree: async () => TREE,
    createCommit: async (wanted: { readonly parents: readonly Sha[] }) => {
      parents.push(wanted.parents);
      return made;
    },
    createBranch: async () => undefined,
    updateBranch: async () => {
      // What was made last is a fast-forward of what it was made on, and of nothing else.
      if (found === null || parents.at(-1)?.[0] !== found.sha) throw new GitHubFailure("conflict", "no fast-forward");
    },
  };
  const changeSet = { v: 1, base: tip, entries: [] };
  const fleet = { store: { loadDocument: async () => JSON.stringify(changeSet) } };
  const facts = await applyChangeSet({ state, repository, fleet } as unknown as RunSession, {
    kind: "CommitChangeSet",
    key: "commit",
    reason: "",
    priority: "dispatch",
    probe: false,
    chunk: months,
    attempt: 1,
  });
  return { facts, parents };
}

const sign = (story: Story): string => formatCommitMessage(buildAttemptNote(story.state, months, 1));
const tipOf = (story: Story): Sha => story.state.integration?.tip ?? fakeSha("none");

describe("a change set", () => {
  it("is committed on the branch where it was left", async () => {
    const { facts, parents } = await commit((story) => ({ sha: tipOf(story), message: "", tree: fakeSha("any") }));
    expect(facts).toMatchObject([{ kind: "ChangeSetCommitted", attempt: 1, head: fakeSha("made"), tree: TREE }]);
    expect(parents).toHaveLength(1);
  });

  it("is not committed over a push no webhook has told of: that is a person's attempt", async () => {
    const { facts, parents } = await commit(() => ({ sha: THEIRS, message: "By hand", tree: fakeSha("theirs") }));
    expect(facts).toMatchObject([{ kind: "PersonPushed", attempt: 2, head: THEIRS, tree: fakeSha("theirs") }]);
    expect(parents.flat()).not.toContain(THEIRS);
  });

  it("is found where a former process committed it", async () => {
    const { facts } = await commit((story) => ({ sha: THEIRS, message: sign(story), tree: TREE }));
    expect(facts).toMatchObject([{ kind: "ChangeSetCommitted", attempt: 1, head: THEIRS }]);
  });

  it("is not committed over a former process's commit that somebody has amended since", async () => {
    const { facts } = await commit((story) => ({ sha: THEIRS, message: sign(story), tree: fakeSha("theirs") }));
    expect(facts).toMatchObject([{ kind: "PersonPushed", attempt: 2, head: THEIRS }]);
  });

  it("is committed on a branch made anew where it was deleted", async () => {
    const { facts, parents } = await commit(() => null);
    expect(facts).toMatchObject([{ kind: "ChangeSetCommitted", attempt: 1 }]);
    expect(parents).toHaveLength(2);
  });
});
