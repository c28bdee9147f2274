import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Sha } from "../../src/contracts/ids.ts";
import { formatBranch } from "../../src/contracts/names.ts";
import { applyLanding } from "../../src/fleet/apply/landing.ts";
import { routeDelivery } from "../../src/fleet/inbox/route-delivery.ts";
import { readHint } from "../../src/fleet/observe.ts";
import { observePull } from "../../src/fleet/observe/observe-pull.ts";
import { foldAll } from "../../src/engine/fold.ts";
import { findRow } from "../../src/engine/table.ts";
import { loadTip, observeTip } from "../../src/fleet/observe/tip.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { passFloor, passReview } from "../engine-stories/results.ts";
import { Story } from "../engine-stories/story.ts";

const landing = fakeSha("landing");
/** Somebody has changed what it holds, and kept its message and parents. */
const amended = fakeSha("amended landing");
const verified = fakeSha("verified");
const story = new Story().propose([buildChunk("a")]).approve();
const tip = story.state.integration?.tip ?? fakeSha("none");

let moves: Sha[];

beforeEach(() => {
  moves = [];
});

/** @param reads where the branch is, look by look; the last one stays. */
function openRun(...reads: readonly Sha[]): RunSession {
  let look = 0;
  return {
    state: story.state,
    fleet: { clock: { now: () => story.now }, timing: { staleReadMs: 0 } },
    repository: {
      loadCommit: async (sha: Sha) => ({
        sha,
        tree: sha === amended ? fakeSha("another tree") : fakeSha("tree"),
        parents: sha === landing || sha === amended ? [tip, verified] : [fakeSha("before")],
        message: "",
      }),
      createCommit: async () => landing,
      loadBranch: async () => reads[Math.min(look++, reads.length - 1)],
      updateBranch: async (_: string, sha: Sha) => void moves.push(sha),
    },
  } as unknown as RunSession;
}

function land(session: RunSession): ReturnType<typeof applyLanding> {
  const what = { chunks: [chunkId("a")], verified, tip, document: "d", via: "direct" } as const;
  return applyLanding(session, {
    kind: "LandChunks",
    key: "land",
    reason: "",
    priority: "landing",
    probe: false,
    ...what,
  });
}

describe("a landing", () => {
  it("moves the branch from the tip", async () => {
    expect(await land(openRun(tip))).toMatchObject([{ kind: "ChunksLanded", commit: landing }]);
    expect(moves).toEqual([landing]);
  });

  it("does not bring forward again what a person set back", async () => {
    const earlier = fakeSha("earlier");
    expect(await land(openRun(earlier))).toEqual([{ kind: "TipMoved", sha: earlier }]);
    expect(moves).toEqual([]);
  });

  it("is found where a former process made it", async () => {
    expect(await land(openRun(landing))).toMatchObject([{ kind: "ChunksLanded", commit: landing }]);
    expect(moves).toEqual([]);
  });

  it("is somebody's push where a former process made it and it was amended since", async () => {
    expect(await land(openRun(amended))).toEqual([{ kind: "TipMoved", sha: amended }]);
    expect(moves).toEqual([]);
  });

  it("waits where one look lagged behind", async () => {
    await expect(land(openRun(fakeSha("earlier"), tip))).rejects.toMatchObject({ kind: "transient" });
    expect(moves).toEqual([]);
  });
});

describe("a push to the integration branch", () => {
  function listLooks(after: Sha): readonly string[] {
    const [route] = routeDelivery(
      "push",
      {
        ref: `refs/heads/taskfleet/${story.run}/integration`,
        after,
        repository: { id: 5, name: "shop", owner: { login: "octo" } },
        installation: { id: 7 },
        sender: { login: "helper[bot]", type: "Bot" },
      },
      "guid",
    );
    return route?.to === "run" ? readHint(openRun(tip), route.hint) : [];
  }

  it("is looked at, also where a bot made it", () => {
    expect(listLooks(fakeSha("earlier"))).toEqual(["tip"]);
  });

  it("is nothing to look at where it is known already, as our own are", () => {
    expect(listLooks(tip)).toEqual([]);
  });
});

describe("an integration branch that has moved", () => {
  const id = chunkId("a");
  const done = new Story()
    .propose([buildChunk("a")])
    .approve()
    .start(id)
    .receive(id)
    .commit(id)
    .floor(id, passFloor())
    .review(id, passReview(buildChunk("a")));
  const head = done.attemptOf(id).head ?? fakeSha("none");

  function look(trees: Readonly<Record<string, string>>): ReturnType<typeof loadTip> {
    return loadTip(openMoved(trees));
  }

  function openMoved(trees: Readonly<Record<string, string>>): RunSession {
    return {
      state: done.state,
      fleet: { clock: { now: () => done.now }, timing: { staleReadMs: 0 } },
      repository: {
        loadPull: async (number: number) => ({
          number,
          state: "closed",
          merged: true,
          mergedAt: done.now,
          head: { sha: head },
          base: { ref: formatBranch({ kind: "integration", run: done.state.run.run }) },
        }),
        loadComparison: async () => ({ status: "ahead" }),
        loadBranch: async () => landing,
        loadCommit: async (sha: Sha) => ({
          sha,
          tree: fakeSha(trees[sha] ?? "tree"),
          parents: sha === landing ? [done.state.integration?.tip, head] : [fakeSha("before")],
          message: "",
        }),
      },
    } as unknown as RunSession;
  }

  it("by a landing of ours whose answer was lost has landed what was decided", async () => {
    expect(await look({})).toMatchObject([{ kind: "ChunksLanded", chunks: [id], commit: landing, via: "direct" }]);
  });

  it("by a landing of ours and by a person's push on top of it has landed what was decided, and moved", async () => {
    const onTop = fakeSha("update branch");
    const session = openMoved({});
    const { repository } = openMoved({});
    Object.assign(session.repository, {
      loadBranch: async () => onTop,
      loadCommit: async (sha: Sha) => ({
        ...(await repository.loadCommit(sha)),
        ...(sha === onTop ? { parents: [landing, fakeSha("source")] } : {}),
      }),
    });
    expect(await loadTip(session)).toMatchObject([
      { kind: "ChunksLanded", chunks: [id], commit: landing },
      { kind: "TipMoved", sha: onTop },
    ]);
  });

  it("to a tree that nobody verified was moved by somebody else", async () => {
    expect(await look({ [landing]: "another" })).toEqual([{ kind: "TipMoved", sha: landing }]);
  });

  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ["is ours, where the tip is a landing of ours", {}, true],
    ["is a person's, where the tip holds what nobody verified", { [landing]: "another" }, false],
  ])("and merged a pull request of a chunk: that %s", async (_case, trees, verified) => {
    const pull = findRow(done.state.chunks, id)?.pulls[0]?.number ?? 0;
    const facts = await observePull(openMoved(trees), pull, null);
    const recorded = facts.map((fact, index) => ({ seq: done.facts.length + 1 + index, at: done.now, fact }));
    const after = foldAll(recorded, done.state);
    expect(after === null ? null : findRow(after.chunks, id)?.landed).toMatchObject({ commit: landing, verified });
  });
});

describe("where the branch was before", () => {
  const BOUND_MS = 120_000;
  const earlier = fakeSha("earlier");
  const movedAt = story.state.integration?.movedAt ?? 0;

  /** @param after the tip's newest move. @param status of that head, seen from the tip. */
  function openShown(after: number, status: string): RunSession {
    const session = openRun(earlier);
    Object.assign(session.fleet, { clock: { now: () => movedAt + after }, timing: { staleReadMs: BOUND_MS } });
    Object.assign(session.repository, { loadComparison: async () => ({ status }) });
    return session;
  }

  it("is no news so shortly after it moved: a replica may not have heard of it, and nothing is built on it", async () => {
    expect(await observeTip(openShown(BOUND_MS - 1, "behind"))).toEqual([]);
    await expect(loadTip(openShown(BOUND_MS - 1, "behind"))).rejects.toMatchObject({ kind: "transient" });
    await expect(land(openShown(BOUND_MS - 1, "behind"))).rejects.toMatchObject({ kind: "transient" });
    expect(moves).toEqual([]);
  });

  it.each(["ahead", "diverged"])("is no news either where a person set it back since (%s)", async (status) => {
    const removed = fakeSha("removed");
    const back = foldAll(
      [removed, tip].map((sha, index) => ({
        seq: story.facts.length + 1 + index,
        at: movedAt + 1 + index,
        fact: { kind: "TipMoved", sha },
      })),
      story.state,
    );
    const open = (after: number): RunSession => {
      const session = openShown(2 + after, status);
      Object.assign(session, { state: back });
      Object.assign(session.repository, { loadBranch: async () => removed });
      return session;
    };
    expect(await observeTip(open(BOUND_MS - 1))).toEqual([]);
    await expect(land(open(BOUND_MS - 1))).rejects.toMatchObject({ kind: "transient" });
    expect(moves).toEqual([]);
    // Shown for longer than a read lags behind, somebody has put it there again.
    expect(await observeTip(open(BOUND_MS))).toEqual([{ kind: "TipMoved", sha: removed }]);
  });

  it("is where a person set it back, when it is still shown later", async () => {
    expect(await observeTip(openShown(BOUND_MS, "behind"))).toEqual([{ kind: "TipMoved", sha: earlier }]);
  });

  it.each(["ahead", "diverged", "unrelated"])("is not what a push brought (%s)", async (status) => {
    expect(await observeTip(openShown(0, status))).toEqual([{ kind: "TipMoved", sha: earlier }]);
  });
});
