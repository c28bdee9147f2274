import { afterEach, describe, expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import { formatBranch } from "../../src/contracts/names.ts";
import { decide } from "../../src/engine/decide.ts";
import type { Action } from "../../src/engine/action.ts";
import { apply } from "../../src/fleet/apply.ts";
import { listTargets, observe } from "../../src/fleet/observe.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";
import { chunkId } from "../engine-stories/names.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { Story } from "../engine-stories/story.ts";
import { openStage, type Stage } from "./fleet-stage.ts";
import { keepRun, STALE_READ_MS } from "./kept-run.ts";

const exists = new GitHubFailure("conflict", "It exists already. GitHub says: A pull request already exists for o:x", {
  status: 422,
});
const nothing = new GitHubFailure("terminal", "GitHub refuses (422): No commits between main and x", { status: 422 });
const DUE = { kind: "due" } as const;

function findAction(session: RunSession, story: Story, kind: Action["kind"]): Action | undefined {
  return decide(session.state, story.now, { staleReadMs: STALE_READ_MS }).actions.find(
    (action) => action.kind === kind,
  );
}

/** A run whose feature pull request a person closed; and what GitHub shows of it since. */
function closeFeature(refusal: GitHubFailure, shown: object) {
  const story = new Story().propose([buildChunk("a")]);
  const { number = 0, nodeId = "", url = "" } = story.state.featurePull ?? {};
  story.record({ kind: "PullSettled", number, outcome: "closed" });
  const { run, source } = story.state.run;
  const base = { ref: source };
  const pull = { number, nodeId, url, head: { ref: formatBranch({ kind: "integration", run }) }, base, merged: false };
  const elsewhere = { ...pull, number: number + 50, base: { ref: "other" }, state: "open" };
  return keepRun(story, {
    createPull: () => Promise.reject(refusal),
    loadPullsByHead: async () => [elsewhere, { ...pull, ...shown }],
    loadPull: async () => ({ ...pull, mergeCommit: story.state.run.fork, ...shown }),
    loadBranch: async () => story.state.run.fork,
    loadCommit: async () => ({ sha: story.state.run.fork, tree: story.state.run.fork }),
  }).then((kept) => ({ ...kept, story, number }));
}

it("a feature pull request that was closed and reopened by hand is taken up by /resume", async () => {
  const { load, story, number } = await closeFeature(exists, { state: "open" });
  const session = await load();
  // Open again or not, it is closed until somebody says that the run goes on.
  expect(await observe(session, `pull:${number}`, DUE)).toEqual([]);
  expect(listTargets(session)).toEqual(expect.arrayContaining([`pull:${number}`, `comments:${number}`]));
  // As often as people like.
  for (const comment of [900, 901]) {
    await session.append([
      { kind: "CommandReceived", comment, line: 0, on: number, by: "alice", name: "resume", args: "" },
    ]);
    const action = findAction(session, story, "OpenFeaturePull");
    if (action === undefined) throw new Error("it is opened anew");
    expect(await apply(session, action)).toBe("done");
    expect(session.state.featurePull).toMatchObject({ number, settled: null });
    await session.append([{ kind: "PullSettled", number, outcome: "closed" }]);
    expect(session.state.featurePull?.settled).toBe("closed");
  }
});

it("a feature pull request that was closed, reopened and merged by hand is merged", async () => {
  const { load, number } = await closeFeature(exists, { state: "closed", merged: true });
  const session = await load();
  const facts = await observe(session, `pull:${number}`, DUE);
  expect(facts.map(({ kind }) => kind)).toEqual(["PullSettled", "FeatureMerged"]);
  await session.append(facts);
  expect(listTargets(session)).not.toContain(`pull:${number}`);
});

it("one that was merged before /resume opens another is the feature's", async () => {
  const { load, story, number } = await closeFeature(nothing, { state: "closed", merged: true });
  const session = await load();
  await session.append([
    { kind: "CommandReceived", comment: 900, line: 0, on: number, by: "a", name: "resume", args: "" },
  ]);
  const action = findAction(session, story, "OpenFeaturePull");
  if (action === undefined) throw new Error("it is opened anew");
  expect(await apply(session, action)).toBe("done");
  await session.append(await observe(session, `pull:${number}`, DUE));
  expect(session.state.merged).not.toBeNull();
});

it("a chunk's pull request that was closed and reopened by hand is taken up by its next attempt", async () => {
  const a = chunkId("a");
  const story = new Story().propose([buildChunk("a")]).approve();
  story.start(a).receive(a).commit(a);
  const { run } = story.state.run;
  const [first] = story.state.chunks.rows[0]?.pulls ?? [];
  if (first === undefined) throw new Error("it has a pull request");
  const { number, url } = first;
  story.record({ kind: "PullSettled", number, outcome: "closed" });
  story.command("retry", "a");
  const { fork } = story.state.run;
  story.start(a).receive(a).record({ kind: "ChangeSetCommitted", chunk: a, attempt: 2, head: fork, tree: fork });
  const head = formatBranch({ kind: "chunk", run, chunk: a });
  const pull = {
    number,
    url,
    nodeId: "",
    head: { ref: head },
    base: { ref: formatBranch({ kind: "integration", run }) },
  };
  const { load } = await keepRun(story, {
    createPull: () => Promise.reject(exists),
    loadPullsByHead: async () => [{ ...pull, state: "open", merged: false }],
    loadPull: async () => ({ ...pull, state: "closed", merged: false }),
  });
  const session = await load();
  const action = findAction(session, story, "OpenChunkPull");
  if (action === undefined) throw new Error("it is opened anew");
  expect(await apply(session, action)).toBe("done");
  expect(findAction(session, story, "OpenChunkPull")).toBeUndefined();
  expect(listTargets(session)).toContain(`pull:${number}`);
  // And closed once more it stops the chunk once more.
  await session.append(await observe(session, `pull:${number}`, DUE));
  expect(session.state.chunks.rows[0]?.stopped).toContain(`#${number}`);
});

describe("a chunk's pull request that we closed, and a person reopened for its next attempt", () => {
  const a = chunkId("a");

  async function adopt() {
    const story = new Story().propose([buildChunk("a")]).approve();
    story.start(a).receive(a).commit(a);
    const { number, url } = story.state.chunks.rows[0]?.pulls[0] ?? { number: 0, url: "" };
    const { load } = await keepRun(story, { loadPull: async () => ({ state: "closed", merged: false }) });
    const session = await load();
    const command = (comment: number, name: "skip" | "retry") =>
      session.append([{ kind: "CommandReceived", comment, line: 0, on: 1, by: "alice", name, args: "a" }]);
    const close = () => session.append([{ kind: "PullClosed", effect: `close:${number}`, number }]);
    await command(900, "skip");
    await close();
    await command(901, "retry");
    await session.append([{ kind: "ChunkPullOpened", effect: "pull:a:2", chunk: a, number, url }]);
    return { session, story, number, command, close };
  }

  it("stops the chunk when it is closed", async () => {
    const { session, number } = await adopt();
    await session.append(await observe(session, `pull:${number}`, DUE));
    expect(session.state.chunks.rows[0]?.stopped).toContain(`#${number}`);
  });

  it("has landed when it is merged by hand", async () => {
    const { session, number } = await adopt();
    await session.append([{ kind: "PullSettled", number, outcome: "merged" }]);
    expect(session.state.chunks.rows[0]?.landed).toMatchObject({ verified: false });
  });

  it("is closed once more when the chunk is dropped once more, and then no more", async () => {
    const { session, story, command, close } = await adopt();
    await command(902, "skip");
    expect(findAction(session, story, "ClosePull")).toBeDefined();
    expect(await close()).toBe(1);
    expect(findAction(session, story, "ClosePull")).toBeUndefined();
  });
});

describe("on the local GitHub", () => {
  let stage: Stage;
  afterEach(async () => stage.close());

  it("a run whose feature pull request is closed and reopened by hand goes on to its end", async () => {
    stage = await openStage();
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    const [pull] = (await stage.mara.pulls.list({ ...stage.repo, state: "open" })).data;
    if (pull === undefined) throw new Error("it was opened with the plan");
    const at = { ...stage.repo, pull_number: pull.number };
    await stage.mara.pulls.update({ ...at, state: "closed" });
    await stage.ownComment(issue, /^need:/u);
    await stage.mara.pulls.update({ ...at, state: "open" });
    await stage.say(pull.number, "/resume");
    await stage.ownComment(pull.number, /^answer:/u);
    await stage.say(issue, "/approve");
    await stage.ownComment(issue, /^report$/u);
    // GitHub marks it as merged in its own time.
    await stage.until("it is merged", async () => (await stage.mara.pulls.get(at)).data.merged);
    const pulls = (await stage.mara.pulls.list({ ...stage.repo, state: "all" })).data;
    const ofFeature = pulls.filter(({ head }) => head.ref === pull.head.ref);
    expect(ofFeature.map(({ number }) => number)).toEqual([pull.number]);
  }, 90_000);
});
