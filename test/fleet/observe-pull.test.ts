import { describe, expect, it } from "@jest/globals";
import type { Sha } from "../../src/contracts/ids.ts";
import { formatBranch } from "../../src/contracts/names.ts";
import { decide } from "../../src/engine/decide.ts";
import { foldAll } from "../../src/engine/fold.ts";
import { findRow } from "../../src/engine/table.ts";
import { observePull } from "../../src/fleet/observe/observe-pull.ts";
import { routeDelivery } from "../../src/fleet/inbox/route-delivery.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { passFloor, passReview } from "../engine-stories/results.ts";
import { REPORT, tellAllLanded } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";

const branch = "taskfleet/1-build/chunk/c0";

/** A run with the pull request #4 of one chunk; what is asked about it is noted. */
function openRun(landed: boolean, onGitHub: { state: "open" | "closed"; merged: boolean }) {
  const asked: number[] = [];
  const session = {
    state: {
      run: { run: "1-build" },
      featurePull: null,
      merged: null,
      cancelled: null,
      ended: null,
      integration: null,
      chunks: { rows: [{ landed: landed ? { commit: "a" } : null, pulls: [{ number: 4, settled: null }] }] },
    },
    repository: {
      loadPull: (number: number) => {
        asked.push(number);
        return Promise.resolve(onGitHub);
      },
    },
  };
  return { asked, session: session as unknown as RunSession };
}

function hint(pull: object): string | undefined {
  const [route] = routeDelivery(
    "pull_request",
    {
      action: "closed",
      repository: { id: 5, name: "shop", owner: { login: "octo" } },
      installation: { id: 7 },
      sender: { login: "mona", type: "User" },
      pull_request: { number: 4, head: { ref: branch }, ...pull },
    },
    "guid",
  );
  return route !== undefined && "hint" in route ? route.hint : undefined;
}

describe("the end of a pull request", () => {
  it("is taken from the webhook where we landed it ourselves and GitHub calls it merged", async () => {
    expect(hint({ merged: true })).toBe("pull:4@merged");
    const { session, asked } = openRun(true, { state: "open", merged: false });
    expect(await observePull(session, 4, "merged")).toEqual([{ kind: "PullSettled", number: 4, outcome: "merged" }]);
    expect(asked).toEqual([]);
  });

  it("is looked at where the webhook says that it was closed", async () => {
    expect(hint({ merged: false })).toBe("pull:4");
    const { session, asked } = openRun(true, { state: "closed", merged: false });
    expect(await observePull(session, 4, null)).toEqual([{ kind: "PullSettled", number: 4, outcome: "closed" }]);
    expect(asked).toEqual([4]);
  });
});

const BOUND_MS = 120_000;
const head = fakeSha("head of the pull request");

describe("a chunk's pull request that GitHub calls merged", () => {
  const id = chunkId("a");
  const tip = fakeSha("a");
  const merge = fakeSha("merge");
  const story = new Story().propose([buildChunk("a"), buildChunk("b", ["a"])]).approve();
  story.start(id).receive(id).commit(id);
  const number = findRow(story.state.chunks, id)?.pulls[0]?.number ?? 0;
  const known = story.state.integration?.tip ?? tip;
  const branch = formatBranch({ kind: "integration", run: story.state.run.run });

  interface Shown {
    readonly base?: string;
    /** Where the integration branch is shown; null = nowhere. */
    readonly at?: Sha | null;
    /** Whether the webhook is heard of before the merge. */
    readonly unheard?: boolean;
    /** Whether the feature is merged as well. */
    readonly whole?: boolean;
    /** What that holds. */
    readonly holds?: readonly Sha[];
    /** How long ago it was merged. */
    readonly ago?: number;
    readonly mergeCommit?: Sha | null;
  }

  function look({
    base = branch,
    at = known,
    holds = [],
    ago = 0,
    mergeCommit = merge,
    unheard = false,
    whole = false,
  }: Shown) {
    const shown = unheard ? { state: "open", merged: false } : { state: "closed", merged: true };
    const pull = { number, ...shown, mergedAt: story.now - ago, head: { sha: head } };
    const session = {
      state: story.state,
      fleet: {
        clock: { now: () => story.now },
        timing: { staleReadMs: BOUND_MS },
        log: { warn: () => undefined },
      },
      repository: {
        loadPull: async (asked: number, wanted?: "state") => ({
          ...pull,
          ...(asked === number || whole ? {} : { state: "open", merged: false }),
          base: { ref: base },
          mergeCommit: wanted === "state" ? null : mergeCommit,
        }),
        loadBranch: async () => at,
        loadCommit: async (sha: Sha) => ({ sha, tree: fakeSha(`tree of ${sha}`), parents: [known], message: "" }),
        loadComparison: async (from: Sha, to: Sha) => ({
          status: (to === at && from === known) || holds.includes(from) ? "ahead" : "diverged",
        }),
      },
    } as unknown as RunSession;
    return observePull(session, number, "merged");
  }

  const settled = { kind: "PullSettled", number };

  it("has landed where the integration branch holds it", async () => {
    const moved = { kind: "TipMoved", sha: merge };
    expect(await look({ at: merge, holds: [head] })).toEqual([moved, { ...settled, outcome: "merged" }]);
  });

  it("has landed where it was squashed, too", async () => {
    const onTop = fakeSha("a push on top of it");
    const moved = { kind: "TipMoved", sha: onTop };
    expect(await look({ at: onTop, holds: [merge] })).toEqual([moved, { ...settled, outcome: "merged" }]);
  });

  it.each<[string, Shown]>([
    ["where the branch was", { ago: BOUND_MS - 1 }],
    ["no commit of the merge either", { mergeCommit: null }],
    ["it open, though its webhook says that it was merged", { unheard: true }],
  ])("is nothing to go by while GitHub shows %s: others would be built without it", async (_case, shown) => {
    await expect(look(shown)).rejects.toMatchObject({ kind: "transient" });
  });

  it("has landed, or will be looked at again, where the branch is gone: it is put back where it was", async () => {
    const lost = { kind: "BranchLost", branch, n: 1 };
    const gone = { at: null, ago: BOUND_MS };
    expect(await look({ ...gone, holds: [head] })).toEqual([lost, { ...settled, outcome: "merged" }]);
    expect(await look(gone)).toEqual([lost]);
  });

  it("has landed with the feature, whose merge took the branch along", async () => {
    expect(await look({ at: null, whole: true })).toEqual([
      { kind: "PullSettled", number: story.state.featurePull?.number, outcome: "merged" },
      { kind: "FeatureMerged", commit: merge, how: "person", verified: false },
      { ...settled, outcome: "merged" },
    ]);
  });

  it.each<[string, string, Shown]>([
    ["removed", "and was removed from the branch since", { ago: BOUND_MS }],
    ["elsewhere", "into another branch", { base: "main" }],
  ])("is %s where somebody merged it %s, and people are asked", async (lost, _case, shown) => {
    const facts = await look(shown);
    expect(facts).toEqual([{ ...settled, outcome: "closed", lost }]);
    const recorded = facts.map((fact, index) => ({ seq: story.facts.length + 1 + index, at: story.now, fact }));
    const after = foldAll(recorded, story.state);
    const chunk = after === null ? undefined : findRow(after.chunks, id);
    expect(chunk).toMatchObject({ landed: null, stopped: expect.stringContaining("merged") });
    const { actions } = decide(after ?? story.state, story.now, { staleReadMs: BOUND_MS });
    expect(actions.map(({ key }) => key)).toContainEqual(expect.stringContaining("need:escalation:a"));
  });
});

describe("the feature's pull request that a person merged", () => {
  const story = tellAllLanded().createAccept().floorAccept(passFloor()).reviewAccept(passReview(REPORT)).commitAccept();
  const { number = 0 } = story.state.featurePull ?? {};
  const accepted = story.state.accepts.at(-1)?.acceptedTree ?? fakeSha("none");

  /** @param named what GitHub says of the merge's commit. */
  function look(named: { readonly merged: boolean; readonly mergeCommit: Sha | null }, ago: number) {
    const pull = { number, state: "closed", merged: true, mergedAt: story.now - ago, head: { sha: head } };
    const session = {
      state: story.state,
      fleet: { clock: { now: () => story.now }, timing: { staleReadMs: BOUND_MS } },
      repository: {
        loadPull: async (_: number, wanted?: "state") =>
          wanted === "state" ? { ...pull, mergeCommit: null } : { ...pull, ...named },
        // Our own head is what was verified, whatever the merge made of it.
        loadCommit: async (sha: Sha) => ({ sha, tree: sha === head ? accepted : fakeSha("with other work") }),
      },
    } as unknown as RunSession;
    return observePull(session, number, null);
  }

  it.each<[string, boolean]>([
    ["the events lag", true],
    ["a replica still shows it open", false],
  ])("is not judged by our own head while %s", async (_case, merged) => {
    await expect(look({ merged, mergeCommit: null }, BOUND_MS - 1)).rejects.toMatchObject({ kind: "transient" });
  });

  it("is judged by the commit that the merge made", async () => {
    const mergeCommit = fakeSha("merge of the feature");
    const [, judged] = await look({ merged: true, mergeCommit }, 0);
    expect(judged).toEqual({ kind: "FeatureMerged", commit: mergeCommit, how: "person", verified: false });
    const [, same] = await look({ merged: true, mergeCommit: head }, 0);
    expect(same).toMatchObject({ verified: true });
  });

  it("is not called verified where GitHub never names the commit", async () => {
    expect(await look({ merged: true, mergeCommit: null }, BOUND_MS)).toEqual([
      { kind: "PullSettled", number, outcome: "merged" },
      { kind: "FeatureMerged", commit: head, how: "person", verified: false },
    ]);
  });
});
