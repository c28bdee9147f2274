/** The App's own commits on the integration branch, found again after their answer was lost. */
import { describe, expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import type { Sha } from "../../src/contracts/ids.ts";
import type { Action } from "../../src/engine/action.ts";
import type { Fact } from "../../src/engine/fact.ts";
import { applyCommitAccept } from "../../src/fleet/apply/accept.ts";
import { applyPlan } from "../../src/fleet/apply/plan.ts";
import { observeTip } from "../../src/fleet/observe/tip.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";
import type { RepositoryPort, TreeChange } from "../../src/github/port.ts";
import { fakeSha } from "../engine-stories/names.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { passFloor, passReview } from "../engine-stories/results.ts";
import { REPORT, tellAllLanded } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";

type NewCommit = Parameters<RepositoryPort["createCommit"]>[0];

const lost = new GitHubFailure("transient", "no answer came", { ambiguous: true });
const EMPTY: Omit<Action, "kind"> = { key: "k", reason: "", priority: "landing", probe: false } as never;

/** A repository whose integration branch really moves, and whose answer to that is lost. */
class Branch {
  readonly #commits = new Map<Sha, NewCommit>();
  readonly #state: RunSession["state"];
  readonly #now: number;
  head: Sha;

  constructor(story: Story) {
    this.#state = story.state;
    this.#now = story.now;
    this.head = story.state.integration?.tip ?? fakeSha("none");
  }

  open(): RunSession {
    return {
      state: this.#state,
      fleet: {
        clock: { now: () => this.#now + 600_000 },
        timing: { staleReadMs: 120_000 },
        store: { loadDocument: async () => "{}" },
      },
      repository: {
        loadBranch: async () => this.head,
        loadCommit: async (sha: Sha) => {
          const made = this.#commits.get(sha);
          return made === undefined
            ? { sha, tree: fakeSha(`tree of ${sha}`), parents: [fakeSha("before")], message: "" }
            : { sha, ...made };
        },
        createTree: async (base: Sha, changes: readonly TreeChange[]) => fakeSha(JSON.stringify([base, changes])),
        createCommit: async (commit: NewCommit) => this.make(commit),
        updateBranch: async (_: string, sha: Sha) => {
          this.head = sha;
          throw lost;
        },
      },
    } as unknown as RunSession;
  }

  make(commit: NewCommit): Sha {
    const sha = fakeSha(JSON.stringify(commit));
    this.#commits.set(sha, commit);
    return sha;
  }

  /** The first one with another branch merged into it, as "Update branch" does. */
  push(count: number): void {
    for (let n = 0; n < count; n += 1)
      this.head = this.make({
        tree: fakeSha(`push ${n}`),
        parents: n === 0 ? [this.head, fakeSha("main")] : [this.head],
        message: "Mine",
      });
  }

  /** A person replaces the head by one that differs in what it holds alone. */
  amend(): void {
    const commit = this.#commits.get(this.head);
    if (commit === undefined) throw new Error("there is nothing of ours to amend");
    this.head = this.make({ ...commit, tree: fakeSha("what the person wants") });
  }
}

const planned = new Story()
  .intake()
  .bindBaseline()
  .receiveDraft(buildDraft([buildChunk("a")]));
for (const lens of ["feasibility", "completeness", "scope"] as const) planned.reviewPlan(lens);
const accepted = tellAllLanded().createAccept().floorAccept(passFloor()).reviewAccept(passReview(REPORT));

describe.each<[string, Story, (session: RunSession) => Promise<readonly Fact[]>, object]>([
  [
    "a plan",
    planned,
    (session) => applyPlan(session, { ...EMPTY, kind: "CommitPlan", rev: 1 }),
    { kind: "PlanCommitted", rev: 1 },
  ],
  [
    "an acceptance",
    accepted,
    (session) => applyCommitAccept(session, { ...EMPTY, kind: "CommitAccept", n: 1 }),
    { kind: "AcceptCommitted", n: 1 },
  ],
])("the commit of %s whose answer was lost", (_name, story, commit, fact) => {
  it("is found by whoever looks first, and made once", async () => {
    const branch = new Branch(story);
    await expect(commit(branch.open())).rejects.toBe(lost);
    const { head } = branch;
    expect(await observeTip(branch.open())).toMatchObject([{ ...fact, commit: head }]);
    expect(await commit(branch.open())).toMatchObject([{ ...fact, commit: head }]);
    expect(branch.head).toBe(head);
  });

  it.each([1, 20])("is found below what people pushed on top of it (%i)", async (count) => {
    const branch = new Branch(story);
    await expect(commit(branch.open())).rejects.toBe(lost);
    const { head } = branch;
    branch.push(count);
    const found = [
      { ...fact, commit: head },
      { kind: "TipMoved", sha: branch.head },
    ];
    expect(await observeTip(branch.open())).toMatchObject(found);
    expect(await commit(branch.open())).toMatchObject(found);
  });

  it("is not looked for without end", async () => {
    const branch = new Branch(story);
    await expect(commit(branch.open())).rejects.toBe(lost);
    branch.push(21);
    expect(await observeTip(branch.open())).toEqual([{ kind: "TipMoved", sha: branch.head }]);
  });

  it("is somebody's push where a person has amended it", async () => {
    const branch = new Branch(story);
    await expect(commit(branch.open())).rejects.toBe(lost);
    branch.amend();
    expect(await observeTip(branch.open())).toEqual([{ kind: "TipMoved", sha: branch.head }]);
    expect(await commit(branch.open())).toEqual([{ kind: "TipMoved", sha: branch.head }]);
  });
});
